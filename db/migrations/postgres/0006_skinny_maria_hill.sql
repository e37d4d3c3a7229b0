DROP INDEX "addresses_source_status";--> statement-breakpoint
DROP INDEX "addresses_source_line";--> statement-breakpoint
CREATE INDEX "addresses_source_created" ON "addresses" USING btree ("source_id","created_at","id");--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "status_before";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "reason_before";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "message_before";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "http_status_before";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "run_id";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "read_done";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "read_total";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "attempts";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "next_fetch_at";--> statement-breakpoint
ALTER TABLE "addresses" DROP COLUMN "claimed_at";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "checked";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "fetched";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "unchanged";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "changed";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "new";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "withdrawn";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "failed";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "bytes";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "exclusions";