CREATE TABLE "address_blocks" (
	"address_id" text PRIMARY KEY NOT NULL,
	"source_id" text NOT NULL,
	"blocks" "bytea" NOT NULL,
	"hashes" "bytea" NOT NULL,
	"share" text DEFAULT '' NOT NULL,
	"is_home" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_blocks" (
	"source_id" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "site_blocks_source_id_hash_pk" PRIMARY KEY("source_id","hash")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"source_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "published_at" bigint;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "modified_at" bigint;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "include_selectors" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "exclude_selectors" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "address_blocks" ADD CONSTRAINT "address_blocks_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_blocks" ADD CONSTRAINT "address_blocks_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_blocks" ADD CONSTRAINT "site_blocks_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_blocks_source" ON "address_blocks" USING btree ("source_id","address_id");--> statement-breakpoint
CREATE UNIQUE INDEX "files_source_unique" ON "files" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "files_organization" ON "files" USING btree ("organization_id");