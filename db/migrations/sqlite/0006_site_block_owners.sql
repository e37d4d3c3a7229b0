ALTER TABLE `site_blocks` ADD `address_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `site_blocks` ADD `is_repeated` integer DEFAULT true NOT NULL;