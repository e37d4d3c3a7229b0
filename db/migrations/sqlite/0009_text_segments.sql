-- Written by hand: the keyword index moves from FTS5 to segments. The job `reindex-text` fills it again.
INSERT OR IGNORE INTO text_index_backlog (key) SELECT key FROM fragments;
--> statement-breakpoint
DROP TABLE fragment_vocabulary;
--> statement-breakpoint
DROP TABLE fragment_words;
--> statement-breakpoint
DROP TABLE text_index_partitions;
--> statement-breakpoint
CREATE TABLE text_segments (
	id integer PRIMARY KEY AUTOINCREMENT, collection_id text, fragments integer NOT NULL, deleted integer NOT NULL DEFAULT 0,
	first_key integer NOT NULL, last_key integer NOT NULL, written_at integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX text_segments_collection ON text_segments (collection_id, last_key);
--> statement-breakpoint
CREATE TABLE text_segment_chunks (place integer PRIMARY KEY, bytes blob NOT NULL);
--> statement-breakpoint
CREATE TABLE text_deletions (
	segment_id integer NOT NULL, fragment integer NOT NULL, number integer NOT NULL, PRIMARY KEY (segment_id, fragment)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX text_deletions_number ON text_deletions (segment_id, number);
