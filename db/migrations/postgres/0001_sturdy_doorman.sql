CREATE TABLE "visitor_usage" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"day" text NOT NULL,
	"messages" bigint NOT NULL,
	"searches" bigint NOT NULL,
	"api_requests" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "visitor_daily_share" bigint DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "visitor_usage" ADD CONSTRAINT "visitor_usage_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;