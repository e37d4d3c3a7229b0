CREATE TABLE `usage` (
	`organization_id` text NOT NULL,
	`year` integer NOT NULL,
	`month` integer NOT NULL,
	`crawls` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organization_id`, `year`, `month`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "usage_crawls_not_negative" CHECK("usage"."crawls" >= 0)
);
--> statement-breakpoint
DROP INDEX `addresses_source_text`;--> statement-breakpoint
ALTER TABLE `addresses` ADD `canonical_of` text;--> statement-breakpoint
ALTER TABLE `addresses` ADD `sitemap_modified` text;--> statement-breakpoint
ALTER TABLE `addresses` ADD `unavailable_after` integer;--> statement-breakpoint
ALTER TABLE `addresses` ADD `ignored_at` integer;--> statement-breakpoint
ALTER TABLE `addresses` ADD `missing` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `addresses` ADD `fetched_at` integer;--> statement-breakpoint
ALTER TABLE `addresses` ADD `changed_at` integer;--> statement-breakpoint
CREATE INDEX `addresses_source_id` ON `addresses` (`source_id`,`id`);--> statement-breakpoint
CREATE INDEX `addresses_collection_reason` ON `addresses` (`collection_id`,`reason`);--> statement-breakpoint
CREATE INDEX `addresses_source_canonical` ON `addresses` (`source_id`,`canonical_of`) WHERE "addresses"."canonical_of" is not null;--> statement-breakpoint
CREATE INDEX `addresses_source_text` ON `addresses` (`source_id`,`text_hash`,`fragments`);--> statement-breakpoint
ALTER TABLE `runs` ADD `kind` text DEFAULT 'full' NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `discovered_at` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `embedded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `message` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `refusals` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `include` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `exclude` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `max_pages` integer;--> statement-breakpoint
ALTER TABLE `sources` ADD `max_depth` integer;--> statement-breakpoint
ALTER TABLE `sources` ADD `refresh_interval` text DEFAULT 'weekly' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `refresh_due_at` integer;--> statement-breakpoint
ALTER TABLE `sources` ADD `pace_ms` integer;--> statement-breakpoint
ALTER TABLE `sources` ADD `sealed_headers` text;--> statement-breakpoint
ALTER TABLE `sources` ADD `paused_at` integer;--> statement-breakpoint
CREATE INDEX `sources_refresh_due` ON `sources` (`refresh_due_at`) WHERE "sources"."refresh_due_at" is not null;--> statement-breakpoint
ALTER TABLE `jobs` ADD `organization_id` text;