-- Written by hand. Pages of other languages often say that they are in English, as the template does: which words
-- may end compounds is told by the text. So the words of these are put in again, too, as 0012 did for the others.
INSERT INTO words_missing (key) SELECT key FROM fragments WHERE language LIKE 'en%' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO jobs (id, kind, payload, status, only_once, attempts, run_after, created_at)
SELECT lower(hex(randomblob(16))), 'index-words', '{}', 'queued', 'index-words', 0, unixepoch() * 1000, unixepoch() * 1000
WHERE EXISTS (SELECT 1 FROM words_missing)
	AND NOT EXISTS (SELECT 1 FROM jobs WHERE only_once = 'index-words' AND status IN ('queued', 'running'));
