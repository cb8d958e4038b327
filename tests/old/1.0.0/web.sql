BEGIN TRANSACTION;
CREATE TABLE classes (
	code TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	updated BIGINT NOT NULL, 
	expires BIGINT NOT NULL, 
	document TEXT NOT NULL, 
	PRIMARY KEY (code)
);
CREATE TABLE clock (
	served BIGINT NOT NULL, 
	raw BIGINT NOT NULL
);
INSERT INTO "clock" VALUES(346,3748953);
CREATE TABLE matches (
	id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	updated BIGINT NOT NULL, 
	expires BIGINT NOT NULL, 
	marked BIGINT, 
	due BIGINT, 
	failures INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	public BOOLEAN NOT NULL, 
	is_over BOOLEAN NOT NULL, 
	class_code TEXT, 
	document TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('8nk7ua7ry8',4,145,604800109,NULL,NULL,0,'sequence-duel',0,0,NULL,'{"form":1,"id":"8nk7ua7ry8","date":"2026-11-19T06:38:43Z","seats":[["Ann",""],["Bob",""]],"time_limit":null,"seed":2437798784,"ended":null,"duel":null,"given":0,"mode":"friend","tokens":[[1,"665fba44215cf7ad9092970ced80f03eda9119915dde93df380b3394327baf59",""],[2,"b0384ba8f35d621c3a701a99538240e87bdc9e11657010d3eb5a33e434c9a382","ddbd184d21b7217544af70a0fad434582e164bbac9ac69375a64ddc210dc936b"]],"updated":145,"joined":[true,true],"turn_started":145,"version":4,"public":false,"show_moves":true,"coach":true,"helped":[],"takeback":null,"rematch_offer":null,"rematch":null,"score":[0,0],"class_code":null,"paused":null,"game":"sequence-duel","options":{"numbers":20,"opening":"any"},"ply":2,"is_over":false,"moves":[]}');
CREATE TABLE moves (
	match_id TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	move TEXT NOT NULL, 
	seconds DOUBLE NOT NULL, 
	PRIMARY KEY (match_id, ply), 
	FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "moves" VALUES('8nk7ua7ry8',0,'6',0.0);
INSERT INTO "moves" VALUES('8nk7ua7ry8',1,'3',0.0);
CREATE TABLE rate_limits (
	client TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	used DOUBLE NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (client, bucket)
);
INSERT INTO "rate_limits" VALUES('afd0982b7ea7968c','matches',1.0,109);
CREATE TABLE schema_version (
	version INTEGER NOT NULL
);
INSERT INTO "schema_version" VALUES(1);
CREATE TABLE watchers (
	match_id TEXT NOT NULL, 
	process TEXT NOT NULL, 
	client TEXT NOT NULL, 
	is_player INTEGER NOT NULL, 
	streams INTEGER NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (match_id, process, client, is_player)
);
CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
CREATE INDEX matches_expires ON matches (expires);
CREATE INDEX matches_listed ON matches (updated) WHERE public = 1 AND is_over = 0;
CREATE INDEX matches_class ON matches (class_code) WHERE class_code IS NOT NULL;
CREATE INDEX ix_classes_expires ON classes (expires);
CREATE INDEX ix_watchers_client ON watchers (client);
COMMIT;
