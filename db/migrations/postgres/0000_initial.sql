CREATE TABLE "access_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"role" text,
	"organization_id" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"last_used_at" bigint,
	CONSTRAINT "access_tokens_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "addresses" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"collection_id" text NOT NULL,
	"source_id" text NOT NULL,
	"url" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"message" text,
	"status_before" text,
	"reason_before" text,
	"message_before" text,
	"http_status_before" bigint,
	"run_id" text,
	"depth" bigint DEFAULT 0 NOT NULL,
	"discovered_from" text,
	"canonical_url" text,
	"sitemap_modified" text,
	"unavailable_after" bigint,
	"ignored_at" bigint,
	"http_status" bigint,
	"content_type" text,
	"bytes" bigint,
	"language" text,
	"meta_title" text,
	"meta_description" text,
	"etag" text,
	"last_modified" text,
	"published_at" bigint,
	"modified_at" bigint,
	"text_hash" text,
	"fragments" bigint DEFAULT 0 NOT NULL,
	"read_done" bigint,
	"read_total" bigint,
	"committed_through_key" bigint,
	"failures" bigint DEFAULT 0 NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"not_found_count" bigint DEFAULT 0 NOT NULL,
	"next_fetch_at" bigint,
	"claimed_at" bigint,
	"crawled_at" bigint,
	"fetched_at" bigint,
	"extractor_version" text,
	"changed_at" bigint,
	"updated_at" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fragments" (
	"key" bigserial PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"organization_id" text NOT NULL,
	"collection_id" text NOT NULL,
	"source_id" text NOT NULL,
	"address_id" text NOT NULL,
	"ordinal" bigint NOT NULL,
	"title" text NOT NULL,
	"headings" text NOT NULL,
	"inner_headings" text DEFAULT '' NOT NULL,
	"text" text NOT NULL,
	"anchor" text,
	"hash" text NOT NULL,
	"tokens" bigint NOT NULL,
	"language" text DEFAULT '' NOT NULL,
	"vector_model" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "text_index_backlog" (
	"key" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"collection_id" text,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"provider" text,
	"provider_key" text,
	"uses_organization_key" boolean DEFAULT false NOT NULL,
	"refused_key_hash" text,
	"model" text,
	"prompt" text,
	"fragment_similarity" double precision NOT NULL,
	"fragment_limit" bigint NOT NULL,
	"max_total_output_tokens" bigint NOT NULL,
	"history_limit" bigint NOT NULL,
	"message_length" bigint NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"archived_at" bigint,
	"failed_answers" bigint DEFAULT 0 NOT NULL,
	"created_by" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"organization_id" text,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_email" text,
	"action" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"changes" jsonb NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "address_blocks" (
	"address_id" text PRIMARY KEY NOT NULL,
	"source_id" text NOT NULL,
	"blocks" "bytea" NOT NULL,
	"hashes" "bytea" NOT NULL,
	"boilerplate_signature" text DEFAULT '' NOT NULL,
	"is_entry_page" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_blocks" (
	"source_id" text NOT NULL,
	"hash" text NOT NULL,
	"address_id" text DEFAULT '' NOT NULL,
	"is_repeated" boolean DEFAULT true NOT NULL,
	CONSTRAINT "site_blocks_source_id_hash_pk" PRIMARY KEY("source_id","hash")
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"agent_model" text,
	"agent_prompt" text,
	"created_by" text,
	"created_at" bigint NOT NULL,
	"deleted_at" bigint
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" text PRIMARY KEY NOT NULL,
	"source_id" text NOT NULL,
	"kind" text DEFAULT 'full' NOT NULL,
	"started_at" bigint NOT NULL,
	"discovered_at" bigint,
	"finished_at" bigint,
	"cancelled_at" bigint,
	"checked" bigint DEFAULT 0 NOT NULL,
	"fetched" bigint DEFAULT 0 NOT NULL,
	"unchanged" bigint DEFAULT 0 NOT NULL,
	"changed" bigint DEFAULT 0 NOT NULL,
	"new" bigint DEFAULT 0 NOT NULL,
	"withdrawn" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"ignored" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"fragments" bigint DEFAULT 0 NOT NULL,
	"embedded" bigint DEFAULT 0 NOT NULL,
	"reason" text,
	"message" text,
	"exclusions" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"collection_id" text NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"message" text,
	"url" text,
	"start_path" text,
	"file_name" text,
	"include" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"exclude" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"include_selectors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"exclude_selectors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"max_pages" bigint,
	"max_depth" bigint,
	"refresh_interval" text DEFAULT 'weekly' NOT NULL,
	"refresh_due_at" bigint,
	"crawl_delay_ms" bigint,
	"sealed_headers" text,
	"paused_at" bigint,
	"refreshed_at" bigint,
	"created_by" text,
	"created_at" bigint NOT NULL,
	"deleted_at" bigint
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"source_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"is_waiting" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"organization_id" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"dedupe_key" text,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"error" text,
	"run_after" bigint NOT NULL,
	"leased_until" bigint,
	"worker" text,
	"created_at" bigint NOT NULL,
	CONSTRAINT "jobs_attempts_not_negative" CHECK ("jobs"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"hostname" text NOT NULL,
	"pid" bigint NOT NULL,
	"kind" text NOT NULL,
	"started_at" bigint NOT NULL,
	"heartbeat_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_public_keys" (
	"agent_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"retired_at" bigint NOT NULL,
	CONSTRAINT "former_public_keys_agent_id_key_hash_pk" PRIMARY KEY("agent_id","key_hash")
);
--> statement-breakpoint
CREATE TABLE "keychains" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"public_key" text NOT NULL,
	"private_key_hash" text NOT NULL,
	"private_key" text NOT NULL,
	"allowed_ips" text DEFAULT '' NOT NULL,
	"allowed_origins" text DEFAULT '' NOT NULL,
	"rate_limit" bigint NOT NULL,
	"daily_messages" bigint,
	"counted_day" text DEFAULT '' NOT NULL,
	"counted_messages" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "keychains_publicKey_unique" UNIQUE("public_key"),
	CONSTRAINT "keychains_privateKeyHash_unique" UNIQUE("private_key_hash")
);
--> statement-breakpoint
CREATE TABLE "refused_origins" (
	"agent_id" text NOT NULL,
	"origin" text NOT NULL,
	"count" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	CONSTRAINT "refused_origins_agent_id_origin_pk" PRIMARY KEY("agent_id","origin")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"token" text NOT NULL,
	"mail_status" text,
	"created_by" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "members" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"entity_name" text DEFAULT '' NOT NULL,
	"default_agent_provider" text,
	"default_agent_model" text,
	"default_agent_provider_key" text,
	"plan" text DEFAULT 'free' NOT NULL,
	"onboarding" jsonb,
	"onboarded_at" bigint,
	"created_by" text,
	"created_at" bigint NOT NULL,
	"deleted_at" bigint,
	CONSTRAINT "organizations_name_not_empty" CHECK ("organizations"."name" <> '')
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"user_id" text PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"media_type" text,
	"content" "bytea"
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"name" text PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"collections" bigint DEFAULT 0 NOT NULL,
	"sources" bigint DEFAULT 0 NOT NULL,
	"urls" bigint DEFAULT 0 NOT NULL,
	"crawls" bigint DEFAULT 0 NOT NULL,
	"agents" bigint DEFAULT 0 NOT NULL,
	"threads" bigint DEFAULT 0 NOT NULL,
	"messages" bigint DEFAULT 0 NOT NULL,
	"searches" bigint DEFAULT 0 NOT NULL,
	"api_requests" bigint DEFAULT 0 NOT NULL,
	"storage" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "plans_collections_not_negative" CHECK ("plans"."collections" >= 0),
	CONSTRAINT "plans_sources_not_negative" CHECK ("plans"."sources" >= 0),
	CONSTRAINT "plans_urls_not_negative" CHECK ("plans"."urls" >= 0),
	CONSTRAINT "plans_crawls_not_negative" CHECK ("plans"."crawls" >= 0),
	CONSTRAINT "plans_agents_not_negative" CHECK ("plans"."agents" >= 0),
	CONSTRAINT "plans_threads_not_negative" CHECK ("plans"."threads" >= 0),
	CONSTRAINT "plans_messages_not_negative" CHECK ("plans"."messages" >= 0),
	CONSTRAINT "plans_searches_not_negative" CHECK ("plans"."searches" >= 0),
	CONSTRAINT "plans_apirequests_not_negative" CHECK ("plans"."api_requests" >= 0),
	CONSTRAINT "plans_storage_not_negative" CHECK ("plans"."storage" >= 0)
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text PRIMARY KEY NOT NULL,
	"thread_id" text NOT NULL,
	"role" text NOT NULL,
	"provider" text,
	"model" text,
	"content" text NOT NULL,
	"status" bigint NOT NULL,
	"status_message" text,
	"fragments" jsonb NOT NULL,
	"candidates" jsonb NOT NULL,
	"cited" jsonb NOT NULL,
	"verdict" text,
	"search_query" text,
	"tokens_input" bigint,
	"tokens_output" bigint,
	"time_processing" bigint,
	"time_search" bigint,
	"time_first_text" bigint,
	"feedback" text,
	"feedback_comment" text,
	"leased_until" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text,
	"title" text NOT NULL,
	"created_by" text,
	"provider" text,
	"provider_thread_id" text,
	"published_at" bigint,
	"meta_origin" text,
	"meta_ip" text,
	"meta_user_agent" text,
	"external_user_id" text,
	"external_user_email" text,
	"external_session_id" text,
	"visitor_token_hash" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"organization_id" text NOT NULL,
	"year" bigint NOT NULL,
	"month" bigint NOT NULL,
	"crawls" bigint DEFAULT 0 NOT NULL,
	"messages" bigint DEFAULT 0 NOT NULL,
	"searches" bigint DEFAULT 0 NOT NULL,
	"api_requests" bigint DEFAULT 0 NOT NULL,
	"collections" bigint DEFAULT 0 NOT NULL,
	"sources" bigint DEFAULT 0 NOT NULL,
	"urls" bigint DEFAULT 0 NOT NULL,
	"agents" bigint DEFAULT 0 NOT NULL,
	"threads" bigint DEFAULT 0 NOT NULL,
	"storage" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_organization_id_year_month_pk" PRIMARY KEY("organization_id","year","month"),
	CONSTRAINT "usage_crawls_not_negative" CHECK ("usage"."crawls" >= 0),
	CONSTRAINT "usage_messages_not_negative" CHECK ("usage"."messages" >= 0),
	CONSTRAINT "usage_searches_not_negative" CHECK ("usage"."searches" >= 0),
	CONSTRAINT "usage_api_requests_not_negative" CHECK ("usage"."api_requests" >= 0)
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_normalized" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text,
	"surname" text,
	"email_verified" boolean DEFAULT false NOT NULL,
	"pending_email" text,
	"pending_email_token" text,
	"pending_email_expires_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "links" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"email" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "oidc_payloads" (
	"id" text PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"payload" text NOT NULL,
	"grant_id" text,
	"user_code" text,
	"uid" text,
	"expires_at" bigint,
	"consumed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"organization_id" text,
	"id_token" text,
	"provider_session" text,
	"user_agent" text,
	"ip" text,
	"created_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_normalized" text NOT NULL,
	"name" text,
	"surname" text,
	"picture_version" text,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"type" bigint DEFAULT 0 NOT NULL,
	"tokens_valid_from" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fragments" ADD CONSTRAINT "fragments_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fragments" ADD CONSTRAINT "fragments_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fragments" ADD CONSTRAINT "fragments_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fragments" ADD CONSTRAINT "fragments_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_blocks" ADD CONSTRAINT "address_blocks_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_blocks" ADD CONSTRAINT "address_blocks_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_blocks" ADD CONSTRAINT "site_blocks_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_public_keys" ADD CONSTRAINT "former_public_keys_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keychains" ADD CONSTRAINT "keychains_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keychains" ADD CONSTRAINT "keychains_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_origins" ADD CONSTRAINT "refused_origins_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_user" ON "access_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "access_tokens_organization" ON "access_tokens" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "access_tokens_expires" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "addresses_source_url_unique" ON "addresses" USING btree ("source_id","url");--> statement-breakpoint
CREATE INDEX "addresses_collection_created" ON "addresses" USING btree ("collection_id","created_at");--> statement-breakpoint
CREATE INDEX "addresses_created" ON "addresses" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "addresses_organization_created" ON "addresses" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "addresses_source_status" ON "addresses" USING btree ("source_id","status","next_fetch_at");--> statement-breakpoint
CREATE INDEX "addresses_source_line" ON "addresses" USING btree ("source_id","status","depth","created_at","id");--> statement-breakpoint
CREATE INDEX "addresses_source_counted" ON "addresses" USING btree ("source_id","status","reason","fragments");--> statement-breakpoint
CREATE INDEX "addresses_source_text" ON "addresses" USING btree ("source_id","text_hash","fragments");--> statement-breakpoint
CREATE INDEX "addresses_source_id" ON "addresses" USING btree ("source_id","id");--> statement-breakpoint
CREATE INDEX "addresses_collection_reason" ON "addresses" USING btree ("collection_id","reason");--> statement-breakpoint
CREATE INDEX "addresses_collection_language" ON "addresses" USING btree ("collection_id","language");--> statement-breakpoint
CREATE INDEX "addresses_source_canonical" ON "addresses" USING btree ("source_id","canonical_url") WHERE "addresses"."canonical_url" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "fragments_id_unique" ON "fragments" USING btree ("id");--> statement-breakpoint
CREATE INDEX "fragments_address" ON "fragments" USING btree ("address_id","ordinal");--> statement-breakpoint
CREATE INDEX "fragments_address_hash" ON "fragments" USING btree ("address_id","hash");--> statement-breakpoint
CREATE INDEX "fragments_collection_model" ON "fragments" USING btree ("collection_id","vector_model");--> statement-breakpoint
CREATE INDEX "fragments_source" ON "fragments" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "fragments_organization_hash" ON "fragments" USING btree ("organization_id","hash") WHERE "fragments"."vector_model" is not null;--> statement-breakpoint
CREATE INDEX "agents_organization_created" ON "agents" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "agents_collection" ON "agents" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "agents_created" ON "agents" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_events_organization" ON "audit_events" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "audit_events_created" ON "audit_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "address_blocks_source" ON "address_blocks" USING btree ("source_id","address_id");--> statement-breakpoint
CREATE INDEX "collections_organization_created" ON "collections" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "collections_created" ON "collections" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "runs_source_started" ON "runs" USING btree ("source_id","started_at");--> statement-breakpoint
CREATE INDEX "sources_collection_created" ON "sources" USING btree ("collection_id","created_at");--> statement-breakpoint
CREATE INDEX "sources_created" ON "sources" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "sources_creator" ON "sources" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "sources_deleted" ON "sources" USING btree ("deleted_at") WHERE "sources"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "sources_refresh_due" ON "sources" USING btree ("refresh_due_at") WHERE "sources"."refresh_due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "files_source_place_unique" ON "files" USING btree ("source_id","is_waiting");--> statement-breakpoint
CREATE INDEX "files_organization" ON "files" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "jobs_queued" ON "jobs" USING btree ("run_after") WHERE "jobs"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "jobs_running" ON "jobs" USING btree ("leased_until") WHERE "jobs"."status" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_dedupe_key_unique" ON "jobs" USING btree ("dedupe_key") WHERE "jobs"."status" = 'queued';--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token_unique" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_organization_email_unique" ON "invitations" USING btree ("organization_id","email");--> statement-breakpoint
CREATE INDEX "invitations_expires" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "members_organization_user_unique" ON "members" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "organizations_created" ON "organizations" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "organizations_deleted" ON "organizations" USING btree ("deleted_at") WHERE "organizations"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "messages_thread_created" ON "messages" USING btree ("thread_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_leased" ON "messages" USING btree ("leased_until") WHERE "messages"."leased_until" is not null;--> statement-breakpoint
CREATE INDEX "threads_organization_created" ON "threads" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "threads_agent_created" ON "threads" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "threads_created" ON "threads" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "threads_creator_created" ON "threads" USING btree ("created_by","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email_unique" ON "accounts" USING btree ("email_normalized");--> statement-breakpoint
CREATE INDEX "links_purpose" ON "links" USING btree ("purpose") WHERE "links"."used_at" is null;--> statement-breakpoint
CREATE INDEX "oidc_payloads_grant" ON "oidc_payloads" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oidc_payloads_uid" ON "oidc_payloads" USING btree ("model","uid");--> statement-breakpoint
CREATE INDEX "oidc_payloads_expires" ON "oidc_payloads" USING btree ("expires_at","model");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" USING btree ("email_normalized");--> statement-breakpoint
CREATE UNIQUE INDEX "users_subject_unique" ON "users" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("created_at","id");