CREATE TABLE "site_icons" (
	"collection_id" text NOT NULL,
	"host" text NOT NULL,
	"media_type" text,
	"content" "bytea",
	"checked_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "site_icons_collection_id_host_pk" PRIMARY KEY("collection_id","host")
);
--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "is_named_by_host" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "site_icons" ADD CONSTRAINT "site_icons_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;