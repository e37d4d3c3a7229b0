ALTER TABLE `addresses` ADD `read_done` integer;--> statement-breakpoint
ALTER TABLE `addresses` ADD `read_total` integer;--> statement-breakpoint
ALTER TABLE `addresses` ADD `whole_until` integer;--> statement-breakpoint
CREATE INDEX `fragments_address_hash` ON `fragments` (`address_id`,`hash`);