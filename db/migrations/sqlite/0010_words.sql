-- Written by hand but for the first table. Every term begins with the number of its collection, and names, codes and
-- forms of words are cut otherwise than before: a job puts the words of all fragments in again.
CREATE TABLE `words_missing` (
	`key` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
DROP TABLE fragment_words;
--> statement-breakpoint
CREATE TABLE word_collections (number integer PRIMARY KEY, collection_id text NOT NULL UNIQUE);
--> statement-breakpoint
CREATE VIRTUAL TABLE fragment_words USING fts5(
	place, title, headings, text, title_stems, heading_stems, text_stems,
	content='', contentless_delete=1, tokenize="ascii tokenchars ':~'"
);
--> statement-breakpoint
CREATE VIRTUAL TABLE fragment_vocabulary USING fts5vocab(fragment_words, row);
--> statement-breakpoint
INSERT INTO words_missing (key) SELECT key FROM fragments;
--> statement-breakpoint
INSERT INTO jobs (id, kind, payload, status, only_once, attempts, run_after, created_at)
SELECT lower(hex(randomblob(16))), 'index-words', '{}', 'queued', 'index-words', 0, unixepoch() * 1000, unixepoch() * 1000
WHERE EXISTS (SELECT 1 FROM words_missing);
