CREATE TABLE "usage" (
	"organization_id" text NOT NULL,
	"year" bigint NOT NULL,
	"month" bigint NOT NULL,
	"crawls" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_organization_id_year_month_pk" PRIMARY KEY("organization_id","year","month"),
	CONSTRAINT "usage_crawls_not_negative" CHECK ("usage"."crawls" >= 0)
);
--> statement-breakpoint
DROP INDEX "addresses_source_text";--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "canonical_of" text;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "sitemap_modified" text;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "unavailable_after" bigint;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "ignored_at" bigint;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "missing" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "fetched_at" bigint;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "changed_at" bigint;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "kind" text DEFAULT 'full' NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "discovered_at" bigint;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "embedded" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "message" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "refusals" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "include" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "exclude" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "max_pages" bigint;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "max_depth" bigint;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "refresh_interval" text DEFAULT 'weekly' NOT NULL;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "refresh_due_at" bigint;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "pace_ms" bigint;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "sealed_headers" text;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "paused_at" bigint;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "organization_id" text;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "addresses_source_id" ON "addresses" USING btree ("source_id","id");--> statement-breakpoint
CREATE INDEX "addresses_collection_reason" ON "addresses" USING btree ("collection_id","reason");--> statement-breakpoint
CREATE INDEX "addresses_source_canonical" ON "addresses" USING btree ("source_id","canonical_of") WHERE "addresses"."canonical_of" is not null;--> statement-breakpoint
CREATE INDEX "sources_refresh_due" ON "sources" USING btree ("refresh_due_at") WHERE "sources"."refresh_due_at" is not null;--> statement-breakpoint
CREATE INDEX "addresses_source_text" ON "addresses" USING btree ("source_id","text_hash","fragments");