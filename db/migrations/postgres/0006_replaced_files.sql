DROP INDEX "files_source_unique";--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "read_by" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "is_waiting" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "files_source_place_unique" ON "files" USING btree ("source_id","is_waiting");