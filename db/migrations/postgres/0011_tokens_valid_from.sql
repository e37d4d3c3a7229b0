DROP INDEX "oidc_payloads_expires";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tokens_valid_from" bigint;--> statement-breakpoint
CREATE INDEX "oidc_payloads_expires" ON "oidc_payloads" USING btree ("expires_at","model");