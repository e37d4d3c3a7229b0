ALTER TABLE "organizations" ADD COLUMN "thread_days" bigint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "visitor_data_days" bigint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "run_days" bigint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "audit_days" bigint DEFAULT 90 NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "replaces_old_threads" boolean DEFAULT false NOT NULL;