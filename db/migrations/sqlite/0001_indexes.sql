-- Written by hand: Drizzle does not know virtual tables. Their keys are those of fragments.
CREATE VIRTUAL TABLE fragment_words USING fts5(
	collection, title, headings, text, title_stems, heading_stems, text_stems,
	content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE fragment_vectors USING vec0(
	key integer primary key, collection_id text partition key, vector float[384] distance_metric=cosine, chunk_size=256
);
