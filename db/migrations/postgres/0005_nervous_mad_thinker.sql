CREATE TABLE "run_outcomes" (
	"run_id" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text NOT NULL,
	"count" bigint NOT NULL,
	"fetched" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "run_outcomes_run_id_outcome_reason_pk" PRIMARY KEY("run_id","outcome","reason")
);
--> statement-breakpoint
CREATE TABLE "visits" (
	"run_id" text NOT NULL,
	"address_id" text NOT NULL,
	"source_id" text NOT NULL,
	"url" text NOT NULL,
	"depth" bigint NOT NULL,
	"found_at" bigint NOT NULL,
	"takes_room" boolean DEFAULT false NOT NULL,
	"due_at" bigint,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"claimed_at" bigint,
	"epoch" bigint,
	"read_done" bigint,
	"read_total" bigint,
	"outcome" text,
	"reason" text,
	"message" text,
	"http_status" bigint,
	"bytes" bigint,
	CONSTRAINT "visits_run_id_address_id_pk" PRIMARY KEY("run_id","address_id")
);
--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "file_identity" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "epoch" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "run_outcomes" ADD CONSTRAINT "run_outcomes_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visits" ADD CONSTRAINT "visits_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "visits_open_unique" ON "visits" USING btree ("address_id") WHERE "visits"."outcome" is null;--> statement-breakpoint
CREATE INDEX "visits_waiting" ON "visits" USING btree ("run_id","depth","found_at","address_id","due_at") WHERE "visits"."outcome" is null and "visits"."claimed_at" is null;--> statement-breakpoint
CREATE INDEX "visits_claimed" ON "visits" USING btree ("source_id","run_id") WHERE "visits"."outcome" is null and "visits"."claimed_at" is not null;--> statement-breakpoint
CREATE INDEX "visits_outcome" ON "visits" USING btree ("run_id","outcome","reason","bytes");--> statement-breakpoint
CREATE INDEX "visits_taking_room" ON "visits" USING btree ("source_id") WHERE "visits"."outcome" is null and "visits"."takes_room";--> statement-breakpoint
INSERT INTO "visits" ("run_id", "address_id", "source_id", "url", "depth", "found_at", "takes_room", "due_at", "attempts", "claimed_at", "epoch", "read_done", "read_total", "reason", "message", "http_status")
SELECT "a"."run_id", "a"."id", "a"."source_id", "a"."url", "a"."depth", "a"."created_at",
  CASE WHEN "a"."status_before" = 'limit' OR ("a"."status_before" = 'fail' AND "a"."fragments" = 0) OR ("a"."reason" IS NULL AND "a"."reason_before" IN ('excluded', 'over-depth', 'too-deep', 'trap', 'other-host', 'ignored')) THEN true ELSE false END,
  "a"."next_fetch_at", "a"."attempts",
  CASE WHEN "a"."status" = 'crawling' THEN coalesce("a"."claimed_at", 0) END, CASE WHEN "a"."status" = 'crawling' THEN 0 END,
  "a"."read_done", "a"."read_total", "a"."reason", "a"."message", "a"."http_status"
FROM "addresses" AS "a" JOIN "runs" AS "r" ON "r"."id" = "a"."run_id"
WHERE "a"."status" IN ('pending', 'crawling') AND "r"."finished_at" IS NULL;
--> statement-breakpoint
INSERT INTO "visits" ("run_id", "address_id", "source_id", "url", "depth", "found_at", "outcome", "reason", "message", "http_status", "bytes")
SELECT "a"."run_id", "a"."id", "a"."source_id", "a"."url", "a"."depth", "a"."created_at",
  CASE WHEN "a"."status" = 'fail' THEN 'failed' WHEN "a"."reason" IN ('duplicate', 'canonical', 'redirected', 'feed', 'excluded') THEN 'replaced' WHEN "a"."fragments" > 0 AND "a"."created_at" >= "r"."started_at" THEN 'new' WHEN "a"."fragments" > 0 AND "a"."changed_at" >= "r"."started_at" THEN 'changed' ELSE 'unchanged' END,
  "a"."reason", "a"."message", "a"."http_status", CASE WHEN "a"."fetched_at" >= "r"."started_at" THEN "a"."bytes" END
FROM "addresses" AS "a" JOIN "runs" AS "r" ON "r"."id" = "a"."run_id"
WHERE "a"."status" NOT IN ('pending', 'crawling') AND "r"."finished_at" IS NULL;
--> statement-breakpoint
UPDATE "addresses" SET "status" = "status_before", "reason" = "reason_before", "message" = "message_before", "http_status" = "http_status_before"
WHERE "status" IN ('pending', 'crawling') AND "status_before" IS NOT NULL;
--> statement-breakpoint
UPDATE "addresses" SET "status" = CASE WHEN "crawled_at" IS NOT NULL AND ("fragments" > 0 OR "reason" IS NOT NULL) THEN 'idle' ELSE 'new' END
WHERE "status" IN ('pending', 'crawling');
--> statement-breakpoint
UPDATE "addresses" SET "file_identity" = "etag", "etag" = NULL WHERE "source_id" IN (SELECT "id" FROM "sources" WHERE "type" = 'file');
--> statement-breakpoint
INSERT INTO "run_outcomes" ("run_id", "outcome", "reason", "count", "fetched", "bytes") SELECT "id", 'new', '', "new", 0, 0 FROM "runs" WHERE "finished_at" IS NOT NULL AND "new" > 0;
--> statement-breakpoint
INSERT INTO "run_outcomes" ("run_id", "outcome", "reason", "count", "fetched", "bytes") SELECT "id", 'changed', '', "changed", 0, 0 FROM "runs" WHERE "finished_at" IS NOT NULL AND "changed" > 0;
--> statement-breakpoint
INSERT INTO "run_outcomes" ("run_id", "outcome", "reason", "count", "fetched", "bytes") SELECT "id", 'unchanged', '', "unchanged", "fetched", "bytes" FROM "runs" WHERE "finished_at" IS NOT NULL;
--> statement-breakpoint
INSERT INTO "run_outcomes" ("run_id", "outcome", "reason", "count", "fetched", "bytes")
SELECT "r"."id", CASE WHEN split_part(e.key, ':', 1) <> 'rejected' THEN split_part(e.key, ':', 1) WHEN substr(e.key, strpos(e.key, ':') + 1) IN ('duplicate', 'canonical', 'redirected', 'feed', 'excluded') THEN 'replaced' ELSE 'failed' END, substr(e.key, strpos(e.key, ':') + 1), e.value::bigint, 0, 0
FROM "runs" AS "r", jsonb_each_text("r"."exclusions") AS e(key, value) WHERE "r"."finished_at" IS NOT NULL;