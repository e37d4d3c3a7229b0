-- Written by hand. Words are found by what compounds end with: a job puts the words of all fragments in again, for which
-- may hold such ones is told by the text, and templates call many a text English. What stands in the index is found until
-- then.
INSERT INTO words_missing (key) SELECT key FROM fragments WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO jobs (id, kind, payload, status, only_once, attempts, run_after, created_at)
SELECT lower(hex(randomblob(16))), 'index-words', '{}', 'queued', 'index-words', 0, unixepoch() * 1000, unixepoch() * 1000
WHERE EXISTS (SELECT 1 FROM words_missing)
	AND NOT EXISTS (SELECT 1 FROM jobs WHERE only_once = 'index-words' AND status IN ('queued', 'running'));
