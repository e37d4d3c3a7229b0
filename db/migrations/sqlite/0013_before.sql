ALTER TABLE `addresses` ADD `status_before` text;--> statement-breakpoint
ALTER TABLE `addresses` ADD `reason_before` text;--> statement-breakpoint
ALTER TABLE `addresses` ADD `message_before` text;--> statement-breakpoint
ALTER TABLE `addresses` ADD `http_status_before` integer;