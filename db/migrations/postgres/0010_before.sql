ALTER TABLE "addresses" ADD COLUMN "status_before" text;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "reason_before" text;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "message_before" text;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "http_status_before" bigint;