CREATE TABLE `run_outcomes` (
	`run_id` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text NOT NULL,
	`count` integer NOT NULL,
	`fetched` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`run_id`, `outcome`, `reason`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `visits` (
	`run_id` text NOT NULL,
	`address_id` text NOT NULL,
	`source_id` text NOT NULL,
	`url` text NOT NULL,
	`depth` integer NOT NULL,
	`found_at` integer NOT NULL,
	`takes_room` integer DEFAULT false NOT NULL,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`claimed_at` integer,
	`epoch` integer,
	`read_done` integer,
	`read_total` integer,
	`outcome` text,
	`reason` text,
	`message` text,
	`http_status` integer,
	`bytes` integer,
	PRIMARY KEY(`run_id`, `address_id`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `visits_open_unique` ON `visits` (`address_id`) WHERE "visits"."outcome" is null;--> statement-breakpoint
CREATE INDEX `visits_waiting` ON `visits` (`run_id`,`depth`,`found_at`,`address_id`,`due_at`) WHERE "visits"."outcome" is null and "visits"."claimed_at" is null;--> statement-breakpoint
CREATE INDEX `visits_claimed` ON `visits` (`source_id`,`run_id`) WHERE "visits"."outcome" is null and "visits"."claimed_at" is not null;--> statement-breakpoint
CREATE INDEX `visits_outcome` ON `visits` (`run_id`,`outcome`,`reason`,`bytes`);--> statement-breakpoint
CREATE INDEX `visits_taking_room` ON `visits` (`source_id`) WHERE "visits"."outcome" is null and "visits"."takes_room";--> statement-breakpoint
ALTER TABLE `addresses` ADD `file_identity` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `epoch` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO "visits" ("run_id", "address_id", "source_id", "url", "depth", "found_at", "takes_room", "due_at", "attempts", "claimed_at", "epoch", "read_done", "read_total", "reason", "message", "http_status")
SELECT "a"."run_id", "a"."id", "a"."source_id", "a"."url", "a"."depth", "a"."created_at",
  CASE WHEN "a"."status_before" = 'limit' OR ("a"."status_before" = 'fail' AND "a"."fragments" = 0) OR ("a"."reason" IS NULL AND "a"."reason_before" IN ('excluded', 'over-depth', 'too-deep', 'trap', 'other-host', 'ignored')) THEN 1 ELSE 0 END,
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
SELECT "r"."id", CASE WHEN substr(e.key, 1, instr(e.key, ':') - 1) <> 'rejected' THEN substr(e.key, 1, instr(e.key, ':') - 1) WHEN substr(e.key, instr(e.key, ':') + 1) IN ('duplicate', 'canonical', 'redirected', 'feed', 'excluded') THEN 'replaced' ELSE 'failed' END, substr(e.key, instr(e.key, ':') + 1), e.value, 0, 0
FROM "runs" AS "r", json_each("r"."exclusions") AS e WHERE "r"."finished_at" IS NOT NULL;