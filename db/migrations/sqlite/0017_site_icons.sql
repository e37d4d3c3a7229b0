CREATE TABLE `site_icons` (
	`collection_id` text NOT NULL,
	`host` text NOT NULL,
	`media_type` text,
	`content` blob,
	`checked_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `host`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `collections` ADD `is_named_by_host` integer DEFAULT false NOT NULL;