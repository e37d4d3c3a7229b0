ALTER TABLE "agents" ADD COLUMN "translates_questions" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "translated_query" text;