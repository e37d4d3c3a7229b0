CREATE TABLE "notice_mails" (
	"organization_id" text NOT NULL,
	"kind" text NOT NULL,
	"sent_at" bigint NOT NULL,
	CONSTRAINT "notice_mails_organization_id_kind_pk" PRIMARY KEY("organization_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"key" text PRIMARY KEY NOT NULL,
	"organization_id" text,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"path" text NOT NULL,
	"created_at" bigint NOT NULL,
	"mailed_at" bigint
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "wants_notices" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notices_organization" ON "notices" USING btree ("organization_id","created_at");