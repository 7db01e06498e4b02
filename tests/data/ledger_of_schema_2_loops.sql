-- A ledger as version 2 of the tables made it: strategy loops, deck 12:2:2:0:0, two units, and one set aside.
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
INSERT INTO "campaigns" VALUES(1,'{"deck":"12:2:2:0:0","finds_kept":10,"loops_kept":5,"seed":"7","settings":{"longest_cycle":300,"start":"small","starts":"------J-/-Q-J--Q- --J-/J-","surplus":2},"strategy":"loops","stream":1,"unit_size":"2000"}','0.1.0',1796129490,2736337889);
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
INSERT INTO "finds" VALUES(1,'-------J/Q-J-Q---','569','loop',NULL,94,17,14,3,80,14,4612392730471805587,0,1796129490,3587048680);
INSERT INTO "finds" VALUES(1,'------J-/-Q-J--Q-','844','loop',NULL,86,15,6,1,80,14,4612392730471805587,0,1796129490,273072197);
INSERT INTO "finds" VALUES(1,'-----Q-J/-J----Q-','1819','loop',NULL,96,16,16,2,80,14,4612392730471805587,0,1796129490,981145967);
INSERT INTO "finds" VALUES(1,'----J---/J----Q-Q','2086','loop',NULL,90,16,10,2,80,14,4612392730471805587,0,1796129490,4261991495);
INSERT INTO "finds" VALUES(1,'---Q-J--/J---Q---','4035','loop',NULL,92,16,12,2,80,14,4612392730471805587,0,1796129490,912332173);
CREATE TABLE histogram (                    -- finite games by their number of tricks
    campaign INTEGER NOT NULL REFERENCES campaigns,
    tricks INTEGER NOT NULL,
    games INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, tricks)
) STRICT, WITHOUT ROWID;
INSERT INTO "histogram" VALUES(1,1,712,1213459901);
INSERT INTO "histogram" VALUES(1,2,641,1537042782);
INSERT INTO "histogram" VALUES(1,3,469,4053085206);
INSERT INTO "histogram" VALUES(1,4,373,2322245290);
INSERT INTO "histogram" VALUES(1,5,278,444517281);
INSERT INTO "histogram" VALUES(1,6,224,915682536);
INSERT INTO "histogram" VALUES(1,7,175,4037917449);
INSERT INTO "histogram" VALUES(1,8,172,1320853275);
INSERT INTO "histogram" VALUES(1,9,125,3429636242);
INSERT INTO "histogram" VALUES(1,10,91,2227007389);
INSERT INTO "histogram" VALUES(1,11,78,1652674670);
INSERT INTO "histogram" VALUES(1,12,70,3992461494);
INSERT INTO "histogram" VALUES(1,13,66,2264974519);
INSERT INTO "histogram" VALUES(1,14,46,916769993);
INSERT INTO "histogram" VALUES(1,15,38,2416500338);
INSERT INTO "histogram" VALUES(1,16,35,1644616431);
INSERT INTO "histogram" VALUES(1,17,26,1971964587);
INSERT INTO "histogram" VALUES(1,18,24,3320791032);
INSERT INTO "histogram" VALUES(1,19,22,2933240270);
INSERT INTO "histogram" VALUES(1,20,20,392676243);
INSERT INTO "histogram" VALUES(1,21,20,705161763);
INSERT INTO "histogram" VALUES(1,22,19,3190003171);
INSERT INTO "histogram" VALUES(1,23,15,804713311);
INSERT INTO "histogram" VALUES(1,24,11,4189776459);
INSERT INTO "histogram" VALUES(1,25,14,3115136958);
INSERT INTO "histogram" VALUES(1,26,9,3750035223);
INSERT INTO "histogram" VALUES(1,27,6,3768616125);
INSERT INTO "histogram" VALUES(1,28,7,2715329962);
INSERT INTO "histogram" VALUES(1,29,9,2280124225);
INSERT INTO "histogram" VALUES(1,30,4,1914828598);
INSERT INTO "histogram" VALUES(1,31,2,2630301653);
INSERT INTO "histogram" VALUES(1,32,6,3927858495);
INSERT INTO "histogram" VALUES(1,33,7,1270418203);
INSERT INTO "histogram" VALUES(1,34,5,3830993184);
INSERT INTO "histogram" VALUES(1,35,3,180261315);
INSERT INTO "histogram" VALUES(1,36,2,17829740);
INSERT INTO "histogram" VALUES(1,37,1,2457942986);
INSERT INTO "histogram" VALUES(1,38,3,4174661918);
INSERT INTO "histogram" VALUES(1,39,3,1080569467);
INSERT INTO "histogram" VALUES(1,42,2,1012024363);
INSERT INTO "histogram" VALUES(1,43,2,2230199118);
INSERT INTO "histogram" VALUES(1,44,2,423173111);
INSERT INTO "histogram" VALUES(1,48,1,2026043276);
INSERT INTO "histogram" VALUES(1,52,1,706690648);
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
INSERT INTO "origins" VALUES(1,'walker','a-host','0.1.0',705135213);
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
INSERT INTO "totals" VALUES(1,'cards','127590',3517054181);
INSERT INTO "totals" VALUES(1,'checksum','16515789110374055851',1432197599);
INSERT INTO "totals" VALUES(1,'counter.cycle 18 --------J-/Q-Q-J-','2',70213739);
INSERT INTO "totals" VALUES(1,'counter.processor_deals','4000',1062869285);
INSERT INTO "totals" VALUES(1,'counter.processor_microseconds','6741',2270639011);
INSERT INTO "totals" VALUES(1,'counter.stepping_stones','53',3513270844);
INSERT INTO "totals" VALUES(1,'games','4000',2385021914);
INSERT INTO "totals" VALUES(1,'loops','161',850109363);
INSERT INTO "totals" VALUES(1,'milliseconds','8',2016446336);
INSERT INTO "totals" VALUES(1,'tricks','22513',4024774124);
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
INSERT INTO "units" VALUES(1,0,2000,82,60303,10799,3821627581326918276,5,1796129490,1,3110105093);
INSERT INTO "units" VALUES(1,1,2000,79,67287,11714,-5752582544662414041,3,1796129490,1,2577600788);
COMMIT;
