CREATE TABLE `notice_mails` (
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `notices` (
	`key` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`path` text NOT NULL,
	`created_at` integer NOT NULL,
	`mailed_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notices_organization` ON `notices` (`organization_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `wants_notices` integer DEFAULT true NOT NULL;