CREATE TABLE `agent_logos` (
	`agent_id` text PRIMARY KEY NOT NULL,
	`media_type` text NOT NULL,
	`content` blob NOT NULL,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `agents` ADD `suggestions` text;--> statement-breakpoint
ALTER TABLE `agents` ADD `logo_version` text;