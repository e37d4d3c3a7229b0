-- Written by hand: vectors move from a virtual table of sqlite-vec to a plain one. Places number the slots of all chunks.
CREATE TABLE plain_vectors (key integer PRIMARY KEY, place integer NOT NULL UNIQUE, vector blob NOT NULL);
--> statement-breakpoint
INSERT INTO plain_vectors (key, place, vector)
	SELECT stored.key, held.chunk_id * 256 + held.chunk_offset, stored.vector
	FROM fragment_vectors stored JOIN fragment_vectors_rowids held ON held.rowid = stored.key;
--> statement-breakpoint
DROP TABLE fragment_vectors;
--> statement-breakpoint
ALTER TABLE plain_vectors RENAME TO fragment_vectors;
--> statement-breakpoint
ALTER TABLE vector_chunks ADD COLUMN vectors integer NOT NULL DEFAULT 0;
--> statement-breakpoint
UPDATE vector_chunks SET vectors = (
	SELECT count(*) FROM fragment_vectors WHERE place BETWEEN chunk_id * 256 AND chunk_id * 256 + 255
);
--> statement-breakpoint
CREATE INDEX vector_chunks_room ON vector_chunks (collection_id, vectors) WHERE vectors < 256;
