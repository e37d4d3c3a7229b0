ALTER TABLE "site_blocks" ADD COLUMN "address_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_blocks" ADD COLUMN "is_repeated" boolean DEFAULT true NOT NULL;