DROP INDEX "jobs_queued";--> statement-breakpoint
DROP INDEX "jobs_running";--> statement-breakpoint
CREATE INDEX "jobs_waiting" ON "jobs" USING btree ("kind","organization_id","run_after","id","dedupe_key") WHERE "jobs"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "jobs_leased" ON "jobs" USING btree ("kind","organization_id","leased_until") WHERE "jobs"."status" = 'running';--> statement-breakpoint
DELETE FROM "jobs" WHERE "status" = 'running' AND "dedupe_key" IS NOT NULL AND "id" NOT IN (SELECT min("id") FROM "jobs" WHERE "status" = 'running' AND "dedupe_key" IS NOT NULL GROUP BY "dedupe_key");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_running_key_unique" ON "jobs" USING btree ("dedupe_key") WHERE "jobs"."status" = 'running';