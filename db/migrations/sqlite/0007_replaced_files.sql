DROP INDEX `files_source_unique`;--> statement-breakpoint
ALTER TABLE `files` ADD `is_waiting` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `files_source_place_unique` ON `files` (`source_id`,`is_waiting`);--> statement-breakpoint
ALTER TABLE `addresses` ADD `read_by` text;