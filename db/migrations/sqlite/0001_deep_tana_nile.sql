CREATE TABLE `visitor_usage` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`messages` integer NOT NULL,
	`searches` integer NOT NULL,
	`api_requests` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `organizations` ADD `visitor_daily_share` integer DEFAULT 10 NOT NULL;