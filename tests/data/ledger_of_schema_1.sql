-- A ledger as version 1 of the tables made it: seed 7, deck 12:2:2:0:0, six units of 3200 deals.
PRAGMA application_id = 1128353097;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,          -- canonical JSON of search.campaign.Campaign
    version TEXT NOT NULL,                  -- of Camicia, when the campaign was made
    made INTEGER NOT NULL,                  -- seconds since 1970
    check_sum INTEGER NOT NULL
) STRICT;
INSERT INTO "campaigns" VALUES(1,'{"deck":"12:2:2:0:0","finds_kept":5,"loops_kept":100,"seed":"7","settings":{},"strategy":"sample","stream":1,"unit_size":"3200"}','0.1.0',1796024930,1268838492);
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
INSERT INTO "finds" VALUES(1,'------J-/-Q-J--Q-','844','loop',NULL,86,15,6,1,80,14,0,0,1796024932,3669602812);
INSERT INTO "finds" VALUES(1,'------QJ/----Q--J','1185','finished','A',314,62,NULL,NULL,NULL,NULL,0,2,1796024932,2792233216);
INSERT INTO "finds" VALUES(1,'-----Q-J/-J----Q-','1819','loop',NULL,96,16,16,2,80,14,0,0,1796024932,2307854756);
INSERT INTO "finds" VALUES(1,'----J---/J----Q-Q','2086','loop',NULL,90,16,10,2,80,14,0,3,1796024932,59391568);
INSERT INTO "finds" VALUES(1,'----Q--J/-----QJ-','2648','finished','B',313,62,NULL,NULL,NULL,NULL,0,2,1796024932,2248070707);
INSERT INTO "finds" VALUES(1,'---J-J--/Q------Q','3351','finished','B',296,59,NULL,NULL,NULL,NULL,0,3,1796024932,2177510978);
INSERT INTO "finds" VALUES(1,'---Q----/-Q---J-J','3721','finished','A',302,59,NULL,NULL,NULL,NULL,0,1,1796024932,1048559046);
INSERT INTO "finds" VALUES(1,'---Q--JJ/----Q---','3941','finished','B',309,61,NULL,NULL,NULL,NULL,0,1,1796024932,3342157773);
INSERT INTO "finds" VALUES(1,'---Q-J--/J---Q---','4035','loop',NULL,92,16,12,2,80,14,0,4,1796024932,245797267);
INSERT INTO "finds" VALUES(1,'--J----Q/-----Q-J','4490','loop',NULL,97,16,17,2,80,14,0,0,1796024932,1412702123);
INSERT INTO "finds" VALUES(1,'--J----Q/Q---J---','4538','loop',NULL,92,16,12,2,80,14,0,0,1796024932,3124170414);
INSERT INTO "finds" VALUES(1,'--Q--J-J/---Q----','5568','finished','B',305,60,NULL,NULL,NULL,NULL,0,5,1796024932,2552132981);
INSERT INTO "finds" VALUES(1,'--Q-J--Q/------J-','5708','loop',NULL,87,15,7,1,80,14,0,3,1796024932,3416557895);
INSERT INTO "finds" VALUES(1,'-J---Q--/---Q-J--','6429','loop',NULL,93,16,13,2,80,14,0,0,1796024932,825793249);
INSERT INTO "finds" VALUES(1,'J---Q-Q-/--J-----','8826','loop',NULL,87,16,7,2,80,14,0,1,1796024932,1683002438);
INSERT INTO "finds" VALUES(1,'J--Q----/-Q-J----','8956','loop',NULL,89,16,9,2,80,14,0,1,1796024932,612143209);
INSERT INTO "finds" VALUES(1,'Q---J---/-J----Q-','10081','loop',NULL,91,16,11,2,80,14,0,0,1796024932,1331071526);
INSERT INTO "finds" VALUES(1,'Q-J-----/----J--Q','10419','loop',NULL,90,17,10,3,80,14,0,0,1796024932,547010502);
INSERT INTO "finds" VALUES(1,'Q-J-----/-Q----J-','10450','loop',NULL,86,15,6,1,80,14,0,0,1796024932,2250775024);
CREATE TABLE histogram (                    -- finite games by their number of tricks
    campaign INTEGER NOT NULL REFERENCES campaigns,
    tricks INTEGER NOT NULL,
    games INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, tricks)
) STRICT, WITHOUT ROWID;
INSERT INTO "histogram" VALUES(1,1,121,1146314747);
INSERT INTO "histogram" VALUES(1,2,2066,2986457572);
INSERT INTO "histogram" VALUES(1,3,3931,496271430);
INSERT INTO "histogram" VALUES(1,4,2408,3300739765);
INSERT INTO "histogram" VALUES(1,5,1500,1427101372);
INSERT INTO "histogram" VALUES(1,6,1233,3495631106);
INSERT INTO "histogram" VALUES(1,7,1052,3249772494);
INSERT INTO "histogram" VALUES(1,8,837,1238141960);
INSERT INTO "histogram" VALUES(1,9,650,696500971);
INSERT INTO "histogram" VALUES(1,10,610,3240598058);
INSERT INTO "histogram" VALUES(1,11,515,1706627620);
INSERT INTO "histogram" VALUES(1,12,465,1591611754);
INSERT INTO "histogram" VALUES(1,13,321,1798346670);
INSERT INTO "histogram" VALUES(1,14,393,1213606517);
INSERT INTO "histogram" VALUES(1,15,327,3946042165);
INSERT INTO "histogram" VALUES(1,16,274,4177352662);
INSERT INTO "histogram" VALUES(1,17,241,1284558447);
INSERT INTO "histogram" VALUES(1,18,270,2795238306);
INSERT INTO "histogram" VALUES(1,19,210,1766481077);
INSERT INTO "histogram" VALUES(1,20,156,1011595092);
INSERT INTO "histogram" VALUES(1,21,159,1888450622);
INSERT INTO "histogram" VALUES(1,22,142,338540908);
INSERT INTO "histogram" VALUES(1,23,117,2764921959);
INSERT INTO "histogram" VALUES(1,24,133,3726671285);
INSERT INTO "histogram" VALUES(1,25,113,385383038);
INSERT INTO "histogram" VALUES(1,26,117,4093693396);
INSERT INTO "histogram" VALUES(1,27,123,1500931372);
INSERT INTO "histogram" VALUES(1,28,92,427033905);
INSERT INTO "histogram" VALUES(1,29,77,1409152462);
INSERT INTO "histogram" VALUES(1,30,73,4057825566);
INSERT INTO "histogram" VALUES(1,31,58,751674635);
INSERT INTO "histogram" VALUES(1,32,55,3737362838);
INSERT INTO "histogram" VALUES(1,33,51,2278509858);
INSERT INTO "histogram" VALUES(1,34,43,102472071);
INSERT INTO "histogram" VALUES(1,35,43,997961783);
INSERT INTO "histogram" VALUES(1,36,33,2039798882);
INSERT INTO "histogram" VALUES(1,37,27,559569633);
INSERT INTO "histogram" VALUES(1,38,22,3732748661);
INSERT INTO "histogram" VALUES(1,39,15,2920953947);
INSERT INTO "histogram" VALUES(1,40,8,1823761450);
INSERT INTO "histogram" VALUES(1,41,5,1638300930);
INSERT INTO "histogram" VALUES(1,42,2,1012024363);
INSERT INTO "histogram" VALUES(1,43,6,3766675018);
INSERT INTO "histogram" VALUES(1,44,3,2239158);
INSERT INTO "histogram" VALUES(1,45,12,967734053);
INSERT INTO "histogram" VALUES(1,46,15,827301682);
INSERT INTO "histogram" VALUES(1,47,10,1901609671);
INSERT INTO "histogram" VALUES(1,48,10,4077442326);
INSERT INTO "histogram" VALUES(1,52,2,20082075);
INSERT INTO "histogram" VALUES(1,57,7,1268476396);
INSERT INTO "histogram" VALUES(1,59,6,2992582558);
INSERT INTO "histogram" VALUES(1,60,1,3350629379);
INSERT INTO "histogram" VALUES(1,61,2,1411889317);
INSERT INTO "histogram" VALUES(1,62,5,164856204);
CREATE TABLE origins (                      -- what did units, and where
    id INTEGER PRIMARY KEY,
    kernel TEXT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    UNIQUE (kernel, host, version)
) STRICT;
INSERT INTO "origins" VALUES(1,'avx512','vm','0.1.0',45897429);
CREATE TABLE runs (                         -- when the hunt was on
    id INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaigns,
    started INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    workers INTEGER NOT NULL,
    host TEXT NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT;
INSERT INTO "runs" VALUES(1,1,1796024930,2,2,'vm',82939956);
CREATE TABLE totals (                       -- sums over the units done, decimal; may pass 64 bits
    campaign INTEGER NOT NULL REFERENCES campaigns,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "totals" VALUES(1,'cards','837761',925619300);
INSERT INTO "totals" VALUES(1,'checksum','1428253208090572774',560170203);
INSERT INTO "totals" VALUES(1,'counter.shuffles','600',1882823747);
INSERT INTO "totals" VALUES(1,'counter.squared_cards','1233638461',1632541535);
INSERT INTO "totals" VALUES(1,'counter.squared_tricks','43966081',36718481);
INSERT INTO "totals" VALUES(1,'games','19200',2250436834);
INSERT INTO "totals" VALUES(1,'loops','33',3009276175);
INSERT INTO "totals" VALUES(1,'milliseconds','38',1043467940);
INSERT INTO "totals" VALUES(1,'tricks','157739',480841284);
INSERT INTO "totals" VALUES(1,'units','6',4040247792);
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
INSERT INTO "units" VALUES(1,0,3200,9,141863,26547,7677921914037503992,37,1796024932,1,3521459623);
INSERT INTO "units" VALUES(1,1,3200,9,135574,25542,8209777879795831879,1,1796024932,1,4265014179);
INSERT INTO "units" VALUES(1,2,3200,2,138511,26124,-1272448055492757334,0,1796024932,1,2694410664);
INSERT INTO "units" VALUES(1,3,3200,3,140745,26574,280514897884912542,0,1796024932,1,4234071307);
INSERT INTO "units" VALUES(1,4,3200,5,141287,26781,1403475891545771003,0,1796024932,1,1457788568);
INSERT INTO "units" VALUES(1,5,3200,5,139781,26171,3575754754028862308,0,1796024932,1,1580417133);
COMMIT;
