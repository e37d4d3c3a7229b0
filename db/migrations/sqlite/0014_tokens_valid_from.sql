DROP INDEX `oidc_payloads_expires`;--> statement-breakpoint
CREATE INDEX `oidc_payloads_expires` ON `oidc_payloads` (`expires_at`,`model`);--> statement-breakpoint
ALTER TABLE `users` ADD `tokens_valid_from` integer;