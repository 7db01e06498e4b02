-- A ledger as version 2 of the tables made it: strategy climb, deck 12:2:2:0:0, two units, and one set aside.
PRAGMA application_id = 1128353097;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,          -- canonical JSON of search.campaign.Campaign
    version TEXT NOT NULL,                  -- of Camicia, when the campaign was made
    made INTEGER NOT NULL,                  -- seconds since 1970
    check_sum INTEGER NOT NULL
) STRICT;
INSERT INTO "campaigns" VALUES(1,'{"deck":"12:2:2:0:0","finds_kept":10,"loops_kept":5,"seed":"7","settings":{"from_end":25,"least_tricks":30,"max_states":2000},"strategy":"climb","stream":1,"unit_size":"3200"}','0.1.0',1796129490,3311949254);
CREATE TABLE finds (                        -- the longest games, and the loops of smallest rank
    campaign INTEGER NOT NULL REFERENCES campaigns,
    deal TEXT NOT NULL,
    rank TEXT NOT NULL,                     -- decimal: 64 bits do not hold it
    status TEXT NOT NULL,
    winner TEXT,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    transient_cards INTEGER,
    transient_tricks INTEGER,
    cycle_cards INTEGER,
    cycle_tricks INTEGER,
    tree INTEGER NOT NULL,                  -- modulo 2^64, as a signed number; 0 for none
    unit INTEGER NOT NULL,                  -- the first unit that met it
    committed INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, deal)
) STRICT, WITHOUT ROWID;
INSERT INTO "finds" VALUES(1,'-------J/----QQ-J','430','finished','B',202,40,NULL,NULL,NULL,NULL,-2570674139179128587,0,1796129490,3005282323);
INSERT INTO "finds" VALUES(1,'-------J/Q-J-Q---','569','loop',NULL,94,17,14,3,80,14,0,0,1796129490,2876696770);
INSERT INTO "finds" VALUES(1,'------J-/-Q-J--Q-','844','loop',NULL,86,15,6,1,80,14,0,0,1796129490,1234518384);
INSERT INTO "finds" VALUES(1,'------QJ/----Q--J','1185','finished','A',314,62,NULL,NULL,NULL,NULL,-2119738711438418925,0,1796129490,1835577202);
INSERT INTO "finds" VALUES(1,'------QJ/---Q-J--','1194','finished','B',198,39,NULL,NULL,NULL,NULL,-2570674139179128587,0,1796129490,1981616899);
INSERT INTO "finds" VALUES(1,'-----J--/Q--Q--J-','1403','finished','A',209,38,NULL,NULL,NULL,NULL,-519004266828488392,0,1796129490,3368526423);
INSERT INTO "finds" VALUES(1,'-----Q--/---Q--JJ','1644','finished','A',310,61,NULL,NULL,NULL,NULL,-2119738711438418925,0,1796129490,1446659008);
INSERT INTO "finds" VALUES(1,'-----Q-J/-J----Q-','1819','loop',NULL,96,16,16,2,80,14,0,0,1796129490,446947624);
INSERT INTO "finds" VALUES(1,'-----Q-Q/J----J--','1867','finished','A',245,48,NULL,NULL,NULL,NULL,-1555501246104967839,0,1796129490,1682297731);
INSERT INTO "finds" VALUES(1,'-----QQ-/J---J---','1968','finished','A',208,39,NULL,NULL,NULL,NULL,6181920297245989472,0,1796129490,2450122896);
INSERT INTO "finds" VALUES(1,'----J---/J----Q-Q','2086','loop',NULL,90,16,10,2,80,14,0,0,1796129490,762094098);
INSERT INTO "finds" VALUES(1,'----J-J-/---Q--Q-','2239','finished','B',239,46,NULL,NULL,NULL,NULL,-1555501246104967839,0,1796129490,4132600689);
INSERT INTO "finds" VALUES(1,'----Q--J/-----QJ-','2648','finished','B',313,62,NULL,NULL,NULL,NULL,-2119738711438418925,0,1796129490,2320223062);
INSERT INTO "finds" VALUES(1,'---Q-J--/J---Q---','4035','loop',NULL,92,16,12,2,80,14,0,0,1796129490,1563626377);
INSERT INTO "finds" VALUES(1,'-J----J-/-----Q-Q','6259','finished','B',246,48,NULL,NULL,NULL,NULL,-1555501246104967839,0,1796129490,2110895357);
INSERT INTO "finds" VALUES(1,'-J---J--/-----QQ-','6368','finished','B',209,39,NULL,NULL,NULL,NULL,6181920297245989472,0,1796129490,1568148248);
INSERT INTO "finds" VALUES(1,'-Q--Q--J/-----J--','7733','finished','B',210,38,NULL,NULL,NULL,NULL,-519004266828488392,0,1796129490,2184621903);
INSERT INTO "finds" VALUES(1,'J----QQ-/-------J','8676','finished','A',203,41,NULL,NULL,NULL,NULL,-2570674139179128587,0,1796129490,3264869289);
CREATE TABLE histogram (                    -- finite games by their number of tricks
    campaign INTEGER NOT NULL REFERENCES campaigns,
    tricks INTEGER NOT NULL,
    games INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, tricks)
) STRICT, WITHOUT ROWID;
INSERT INTO "histogram" VALUES(1,1,31,3250230985);
INSERT INTO "histogram" VALUES(1,2,692,2020125134);
INSERT INTO "histogram" VALUES(1,3,1342,646673924);
INSERT INTO "histogram" VALUES(1,4,809,2731270052);
INSERT INTO "histogram" VALUES(1,5,515,915075559);
INSERT INTO "histogram" VALUES(1,6,401,1829522207);
INSERT INTO "histogram" VALUES(1,7,337,1872476636);
INSERT INTO "histogram" VALUES(1,8,285,403890447);
INSERT INTO "histogram" VALUES(1,9,192,2407031220);
INSERT INTO "histogram" VALUES(1,10,195,798230382);
INSERT INTO "histogram" VALUES(1,11,188,1352974513);
INSERT INTO "histogram" VALUES(1,12,157,1500528003);
INSERT INTO "histogram" VALUES(1,13,117,2502248186);
INSERT INTO "histogram" VALUES(1,14,124,2706086872);
INSERT INTO "histogram" VALUES(1,15,109,3695043166);
INSERT INTO "histogram" VALUES(1,16,83,940151432);
INSERT INTO "histogram" VALUES(1,17,73,238418949);
INSERT INTO "histogram" VALUES(1,18,87,3814058477);
INSERT INTO "histogram" VALUES(1,19,66,3450919958);
INSERT INTO "histogram" VALUES(1,20,49,3257402472);
INSERT INTO "histogram" VALUES(1,21,59,4270475247);
INSERT INTO "histogram" VALUES(1,22,53,1137038773);
INSERT INTO "histogram" VALUES(1,23,33,2049474743);
INSERT INTO "histogram" VALUES(1,24,44,2181487845);
INSERT INTO "histogram" VALUES(1,25,37,2433003539);
INSERT INTO "histogram" VALUES(1,26,34,4253653248);
INSERT INTO "histogram" VALUES(1,27,38,1818034108);
INSERT INTO "histogram" VALUES(1,28,42,296523362);
INSERT INTO "histogram" VALUES(1,29,20,444047842);
INSERT INTO "histogram" VALUES(1,30,19,264181030);
INSERT INTO "histogram" VALUES(1,31,19,853490838);
INSERT INTO "histogram" VALUES(1,32,18,1818523399);
INSERT INTO "histogram" VALUES(1,33,18,1359240887);
INSERT INTO "histogram" VALUES(1,34,16,2108141353);
INSERT INTO "histogram" VALUES(1,35,19,3344931414);
INSERT INTO "histogram" VALUES(1,36,9,3806647975);
INSERT INTO "histogram" VALUES(1,37,11,1967539006);
INSERT INTO "histogram" VALUES(1,38,9,37462420);
INSERT INTO "histogram" VALUES(1,39,3,1080569467);
INSERT INTO "histogram" VALUES(1,40,1,3178684259);
INSERT INTO "histogram" VALUES(1,41,2,786951109);
INSERT INTO "histogram" VALUES(1,43,2,2230199118);
INSERT INTO "histogram" VALUES(1,44,1,840190004);
INSERT INTO "histogram" VALUES(1,45,4,4158642964);
INSERT INTO "histogram" VALUES(1,46,9,1355025079);
INSERT INTO "histogram" VALUES(1,47,3,311919960);
INSERT INTO "histogram" VALUES(1,48,3,1257542926);
INSERT INTO "histogram" VALUES(1,52,1,706690648);
INSERT INTO "histogram" VALUES(1,59,2,3593726618);
INSERT INTO "histogram" VALUES(1,61,1,2131422054);
CREATE TABLE imported (                     -- others' deals, replayed; no part of any total
    deal TEXT PRIMARY KEY,
    deck TEXT NOT NULL,
    status TEXT NOT NULL,
    winner TEXT,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    transient_cards INTEGER,
    transient_tricks INTEGER,
    cycle_cards INTEGER,
    cycle_tricks INTEGER,
    source TEXT NOT NULL,                   -- the file they came from
    noted INTEGER NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "imported" VALUES('J--/-J-','4:2:0:0:0','loop',NULL,8,3,2,1,6,2,'deals.txt',1796129490,2243885947);
INSERT INTO "imported" VALUES('J--/-JA','3:2:0:0:1','finished','A',12,4,NULL,NULL,NULL,NULL,'deals.txt',1796129490,313204833);
CREATE TABLE origins (                      -- what did units, and where
    id INTEGER PRIMARY KEY,
    kernel TEXT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    UNIQUE (kernel, host, version)
) STRICT;
INSERT INTO "origins" VALUES(1,'avx512','a-host','0.1.0',4013257795);
CREATE TABLE runs (                         -- when the hunt was on
    id INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaigns,
    started INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    workers INTEGER NOT NULL,
    host TEXT NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT;
INSERT INTO "runs" VALUES(1,1,1796129490,5,2,'here',1657617593);
CREATE TABLE set_aside (                    -- units that failed again and again, until one run does them
    campaign INTEGER NOT NULL REFERENCES campaigns,
    unit INTEGER NOT NULL,
    reason TEXT NOT NULL,
    noted INTEGER NOT NULL,                 -- seconds since 1970
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, unit)
) STRICT, WITHOUT ROWID;
INSERT INTO "set_aside" VALUES(1,2,'worker 5 was killed',1796129490,1022256517);
CREATE TABLE totals (                       -- sums over the units done, decimal; may pass 64 bits
    campaign INTEGER NOT NULL REFERENCES campaigns,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "totals" VALUES(1,'cards','277437',1257112511);
INSERT INTO "totals" VALUES(1,'checksum','13653473312697291566',3968769789);
INSERT INTO "totals" VALUES(1,'counter.processor_deals','6400',3405307154);
INSERT INTO "totals" VALUES(1,'counter.processor_microseconds','5516',594859476);
INSERT INTO "totals" VALUES(1,'counter.shuffles','200',4284156692);
INSERT INTO "totals" VALUES(1,'counter.squared_cards','405407427',613119627);
INSERT INTO "totals" VALUES(1,'counter.squared_tricks','14371225',1553781605);
INSERT INTO "totals" VALUES(1,'counter.tree_balanced','801',3724413893);
INSERT INTO "totals" VALUES(1,'counter.tree_states','7733',2403320993);
INSERT INTO "totals" VALUES(1,'counter.trees','32',3393988870);
INSERT INTO "totals" VALUES(1,'counter.trees_repeated','138',2351107450);
INSERT INTO "totals" VALUES(1,'counter.trees_truncated','0',1635982555);
INSERT INTO "totals" VALUES(1,'counter.walk_microseconds','1835',3428882916);
INSERT INTO "totals" VALUES(1,'games','6400',2072661997);
INSERT INTO "totals" VALUES(1,'loops','18',1395516586);
INSERT INTO "totals" VALUES(1,'milliseconds','6',3870534158);
INSERT INTO "totals" VALUES(1,'tricks','52089',805322339);
INSERT INTO "totals" VALUES(1,'units','2',2495450356);
CREATE TABLE units (                        -- the units done; a report is here or it never was
    campaign INTEGER NOT NULL REFERENCES campaigns,
    unit INTEGER NOT NULL,
    games INTEGER NOT NULL,
    loops INTEGER NOT NULL,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    checksum INTEGER NOT NULL,              -- modulo 2^64, as a signed number
    milliseconds INTEGER NOT NULL,
    committed INTEGER NOT NULL,             -- seconds since 1970
    origin INTEGER NOT NULL REFERENCES origins,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, unit)
) STRICT, WITHOUT ROWID;
INSERT INTO "units" VALUES(1,0,3200,9,141863,26547,-7667339229770695266,3,1796129490,1,1039547099);
INSERT INTO "units" VALUES(1,1,3200,9,135574,25542,2874068468758435216,3,1796129490,1,1395719318);
COMMIT;
