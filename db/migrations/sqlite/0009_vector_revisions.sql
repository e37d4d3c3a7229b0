-- Written by hand, as the table of vectors is: by these, copies of vectors in memory follow it. A revision is given once.
CREATE TABLE vector_revisions (
	revision integer PRIMARY KEY AUTOINCREMENT,
	collection_id text NOT NULL UNIQUE,
	searched_at integer
);
--> statement-breakpoint
CREATE TABLE vector_chunks (
	chunk_id integer PRIMARY KEY,
	collection_id text NOT NULL,
	revision integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX vector_chunks_collection ON vector_chunks (collection_id, revision);
--> statement-breakpoint
CREATE INDEX fragment_vectors_partition ON fragment_vectors_chunks (partition00);
--> statement-breakpoint
INSERT INTO vector_revisions (collection_id) SELECT DISTINCT partition00 FROM fragment_vectors_chunks;
--> statement-breakpoint
INSERT INTO vector_chunks (chunk_id, collection_id, revision)
SELECT chunk_id, collection_id, revision FROM fragment_vectors_chunks JOIN vector_revisions ON collection_id = partition00;
