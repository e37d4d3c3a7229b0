ALTER TABLE "addresses" ADD COLUMN "read_done" bigint;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "read_total" bigint;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "whole_until" bigint;--> statement-breakpoint
CREATE INDEX "fragments_address_hash" ON "fragments" USING btree ("address_id","hash");