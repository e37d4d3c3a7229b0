ALTER TABLE `organizations` ADD `thread_days` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `visitor_data_days` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `run_days` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `audit_days` integer DEFAULT 90 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `replaces_old_threads` integer DEFAULT false NOT NULL;