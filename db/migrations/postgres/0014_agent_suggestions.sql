CREATE TABLE "agent_logos" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"media_type" text NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "suggestions" jsonb;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "logo_version" text;--> statement-breakpoint
ALTER TABLE "agent_logos" ADD CONSTRAINT "agent_logos_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;