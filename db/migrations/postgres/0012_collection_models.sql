CREATE TABLE "model_changes" (
	"collection_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"model" text NOT NULL,
	"identity" text,
	"phase" text DEFAULT 'building' NOT NULL,
	"through_key" bigint DEFAULT 0 NOT NULL,
	"embedded" bigint DEFAULT 0 NOT NULL,
	"active_ms" bigint DEFAULT 0 NOT NULL,
	"message" text,
	"swapped_at" bigint,
	"created_by" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "fragments_collection_model";--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "embedding_model" text;--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "vector_model" text;--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "vector_slot" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "model_changes" ADD CONSTRAINT "model_changes_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_changes" ADD CONSTRAINT "model_changes_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fragments_collection_model" ON "fragments" USING btree ("collection_id","vector_model","key");
--> statement-breakpoint
UPDATE collections SET vector_model = (
	SELECT CASE WHEN min(vector_model) = max(vector_model) THEN min(vector_model) ELSE 'several models' END
	FROM fragments WHERE collection_id = collections.id AND vector_model IS NOT NULL
	HAVING count(*) > 0
);
--> statement-breakpoint
-- Vectors of the second set of a collection have negative keys.
ALTER TABLE fragment_vectors DROP CONSTRAINT fragment_vectors_key_fkey;
--> statement-breakpoint
DELETE FROM settings WHERE name = 'embedding-model';
