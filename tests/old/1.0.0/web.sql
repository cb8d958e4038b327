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
INSERT INTO "clock" VALUES(1045,2323930);
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
INSERT INTO "matches" VALUES('v9yhjn8p2w',4,831,604800831,NULL,NULL,0,'sequence-duel',0,0,NULL,'{"form":1,"id":"v9yhjn8p2w","date":"2026-11-17T22:45:29Z","seats":[["Ann",""],["Bob",""]],"time_limit":null,"seed":282736325,"ended":null,"duel":null,"given":0,"mode":"friend","tokens":[[1,"2a0a68aeb3c8f86bd2d08947a2bacf46ecf919aad48d5e0effea2c9e2905e0b9",""],[2,"0f084b72a6ee83359b1cfdfdb3bd27652e5f3caea8ded66d85fe01532ea485c7","c5bc2fabc0a38007bdc1d9f8e874bfedea429222a78617eba62f0c3cba61a1bd"]],"updated":831,"joined":[true,true],"turn_started":831,"version":4,"public":false,"show_moves":true,"coach":true,"helped":[],"takeback":null,"rematch_offer":null,"rematch":null,"score":[0,0],"class_code":null,"paused":null,"game":"sequence-duel","options":{"numbers":20,"opening":"any"},"ply":2,"is_over":false,"moves":[]}');
CREATE TABLE moves (
	match_id TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	move TEXT NOT NULL, 
	seconds DOUBLE NOT NULL, 
	PRIMARY KEY (match_id, ply), 
	FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "moves" VALUES('v9yhjn8p2w',0,'6',0.0);
INSERT INTO "moves" VALUES('v9yhjn8p2w',1,'3',0.0);
CREATE TABLE rate_limits (
	client TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	used DOUBLE NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (client, bucket)
);
INSERT INTO "rate_limits" VALUES('afd0982b7ea7968c','matches',1.0,683);
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
CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
CREATE INDEX matches_class ON matches (class_code) WHERE class_code IS NOT NULL;
CREATE INDEX matches_expires ON matches (expires);
CREATE INDEX matches_listed ON matches (updated) WHERE public = 1 AND is_over = 0;
CREATE INDEX ix_classes_expires ON classes (expires);
CREATE INDEX ix_watchers_client ON watchers (client);
COMMIT;
