ALTER TABLE "agents" ADD COLUMN "test_failure" text;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "accepted_key_hash" text;