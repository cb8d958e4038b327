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
INSERT INTO "clock" VALUES(214,15632893);
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
INSERT INTO "matches" VALUES('jv4demqk43',4,62,604800062,NULL,NULL,0,'sequence-duel',0,0,NULL,'{"form":1,"id":"jv4demqk43","date":"2026-11-18T08:46:12Z","seats":[["Ann",""],["Bob",""]],"time_limit":null,"seed":2622077318,"ended":null,"duel":null,"given":0,"mode":"friend","tokens":[[1,"5bdb8dabe46aff7f16328e4224c47b78da1c84d1b18eb9b1b19eee9e228ccc19",""],[2,"02a8e87764dc51eec94a2af426590e9e654702d853878cfd7441723b45cb0304","b4d47af7647c7cad24bb4d9ada2d0d49bf07ca4060bafd65a963d8c604fd67d1"]],"updated":62,"joined":[true,true],"turn_started":62,"version":4,"public":false,"show_moves":true,"coach":true,"helped":[],"takeback":null,"rematch_offer":null,"rematch":null,"score":[0,0],"class_code":null,"paused":null,"game":"sequence-duel","options":{"numbers":20,"opening":"any"},"ply":2,"is_over":false,"moves":[]}');
CREATE TABLE moves (
	match_id TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	move TEXT NOT NULL, 
	seconds DOUBLE NOT NULL, 
	PRIMARY KEY (match_id, ply), 
	FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "moves" VALUES('jv4demqk43',0,'6',0.0);
INSERT INTO "moves" VALUES('jv4demqk43',1,'3',0.0);
CREATE TABLE rate_limits (
	client TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	used DOUBLE NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (client, bucket)
);
INSERT INTO "rate_limits" VALUES('afd0982b7ea7968c','matches',1.0,48);
CREATE TABLE schema_version (
	version INTEGER NOT NULL
);
INSERT INTO "schema_version" VALUES(1);
CREATE TABLE watchers (
	match_id TEXT NOT NULL, 
	process TEXT NOT NULL, 
	client TEXT NOT NULL, 
	streams INTEGER NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (match_id, process, client)
);
CREATE INDEX matches_expires ON matches (expires);
CREATE INDEX matches_listed ON matches (updated) WHERE public = 1 AND is_over = 0;
CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
CREATE INDEX matches_class ON matches (class_code) WHERE class_code IS NOT NULL;
CREATE INDEX ix_classes_expires ON classes (expires);
CREATE INDEX ix_watchers_client ON watchers (client);
COMMIT;
