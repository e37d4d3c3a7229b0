ALTER TABLE `agents` ADD `test_failure` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `accepted_key_hash` text;