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
INSERT INTO "clock" VALUES(211,16305469);
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
INSERT INTO "matches" VALUES('fruzbbep6e',4,88,604800088,NULL,NULL,0,'sequence-duel',0,0,NULL,'{"form":1,"id":"fruzbbep6e","date":"2026-11-18T02:38:31Z","seats":[["Ann",""],["Bob",""]],"time_limit":null,"seed":3285455926,"ended":null,"duel":null,"given":0,"mode":"friend","tokens":[[1,"77f7ed13f99507751a122dbe6099b5ccf8ee324c7d48efbf15381d61cc87d055",""],[2,"c3be072d32d103b0a435a85dc1fa9ba5cdc277e5f614aed3af9c27f1874cb976","8456b5e9df6f43f0c3a81a584c2a5d10fd0f4d223e5091396a6d4c0820ea53e4"]],"updated":88,"joined":[true,true],"turn_started":88,"version":4,"public":false,"show_moves":true,"coach":true,"helped":[],"takeback":null,"rematch_offer":null,"rematch":null,"score":[0,0],"class_code":null,"paused":null,"game":"sequence-duel","options":{"numbers":20,"opening":"any"},"ply":2,"is_over":false,"moves":[]}');
CREATE TABLE moves (
	match_id TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	move TEXT NOT NULL, 
	seconds DOUBLE NOT NULL, 
	PRIMARY KEY (match_id, ply), 
	FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "moves" VALUES('fruzbbep6e',0,'6',0.0);
INSERT INTO "moves" VALUES('fruzbbep6e',1,'3',0.0);
CREATE TABLE rate_limits (
	client TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	used DOUBLE NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (client, bucket)
);
INSERT INTO "rate_limits" VALUES('afd0982b7ea7968c','matches',1.0,68);
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
CREATE INDEX matches_class ON matches (class_code) WHERE class_code IS NOT NULL;
CREATE INDEX matches_expires ON matches (expires);
CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
CREATE INDEX matches_listed ON matches (updated) WHERE public = 1 AND is_over = 0;
CREATE INDEX ix_classes_expires ON classes (expires);
CREATE INDEX ix_watchers_client ON watchers (client);
COMMIT;
