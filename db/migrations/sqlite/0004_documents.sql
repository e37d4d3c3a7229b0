CREATE TABLE `address_blocks` (
	`address_id` text PRIMARY KEY NOT NULL,
	`source_id` text NOT NULL,
	`blocks` blob NOT NULL,
	`hashes` blob NOT NULL,
	`share` text DEFAULT '' NOT NULL,
	`is_home` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`address_id`) REFERENCES `addresses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `address_blocks_source` ON `address_blocks` (`source_id`,`address_id`);--> statement-breakpoint
CREATE TABLE `site_blocks` (
	`source_id` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`source_id`, `hash`),
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`source_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_source_unique` ON `files` (`source_id`);--> statement-breakpoint
CREATE INDEX `files_organization` ON `files` (`organization_id`);--> statement-breakpoint
ALTER TABLE `addresses` ADD `published_at` integer;--> statement-breakpoint
ALTER TABLE `addresses` ADD `modified_at` integer;--> statement-breakpoint
ALTER TABLE `sources` ADD `include_selectors` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `exclude_selectors` text DEFAULT '[]' NOT NULL;