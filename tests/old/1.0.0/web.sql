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
INSERT INTO "clock" VALUES(213,6089335);
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
INSERT INTO "matches" VALUES('gyxmwz5kfn',4,76,604800076,NULL,NULL,0,'sequence-duel',0,0,NULL,'{"form":1,"id":"gyxmwz5kfn","date":"2026-11-17T23:48:15Z","seats":[["Ann",""],["Bob",""]],"time_limit":null,"seed":2794229238,"ended":null,"duel":null,"given":0,"mode":"friend","tokens":[[1,"e78e3a47e0af35e875f6ef1116a445a9d54b233a79c0f403c7acd295ac717fa1",""],[2,"45cdcdd4b66d4441973c44eec21707646ab4e2ce43af82b61210408075b81f18","b09bb257678f6fe9d546847b3ffa3c70e153cba65fdbb6d3da4dd03b2f88f59c"]],"updated":76,"joined":[true,true],"turn_started":76,"version":4,"public":false,"show_moves":true,"coach":true,"helped":[],"takeback":null,"rematch_offer":null,"rematch":null,"score":[0,0],"class_code":null,"paused":null,"game":"sequence-duel","options":{"numbers":20,"opening":"any"},"ply":2,"is_over":false,"moves":[]}');
CREATE TABLE moves (
	match_id TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	move TEXT NOT NULL, 
	seconds DOUBLE NOT NULL, 
	PRIMARY KEY (match_id, ply), 
	FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "moves" VALUES('gyxmwz5kfn',0,'6',0.0);
INSERT INTO "moves" VALUES('gyxmwz5kfn',1,'3',0.0);
CREATE TABLE rate_limits (
	client TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	used DOUBLE NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (client, bucket)
);
INSERT INTO "rate_limits" VALUES('afd0982b7ea7968c','matches',1.0,61);
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
CREATE INDEX matches_listed ON matches (updated) WHERE public = 1 AND is_over = 0;
CREATE INDEX matches_class ON matches (class_code) WHERE class_code IS NOT NULL;
CREATE INDEX matches_expires ON matches (expires);
CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
CREATE INDEX ix_classes_expires ON classes (expires);
CREATE INDEX ix_watchers_client ON watchers (client);
COMMIT;
