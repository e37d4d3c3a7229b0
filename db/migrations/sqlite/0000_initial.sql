CREATE TABLE `access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`role` text,
	`organization_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_tokenHash_unique` ON `access_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `access_tokens_user` ON `access_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `access_tokens_organization` ON `access_tokens` (`organization_id`);--> statement-breakpoint
CREATE INDEX `access_tokens_expires` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`collection_id` text NOT NULL,
	`source_id` text NOT NULL,
	`url` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`message` text,
	`status_before` text,
	`reason_before` text,
	`message_before` text,
	`http_status_before` integer,
	`run_id` text,
	`depth` integer DEFAULT 0 NOT NULL,
	`discovered_from` text,
	`canonical_url` text,
	`sitemap_modified` text,
	`unavailable_after` integer,
	`ignored_at` integer,
	`http_status` integer,
	`content_type` text,
	`bytes` integer,
	`language` text,
	`meta_title` text,
	`meta_description` text,
	`etag` text,
	`last_modified` text,
	`published_at` integer,
	`modified_at` integer,
	`text_hash` text,
	`fragments` integer DEFAULT 0 NOT NULL,
	`read_done` integer,
	`read_total` integer,
	`committed_through_key` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`not_found_count` integer DEFAULT 0 NOT NULL,
	`next_fetch_at` integer,
	`claimed_at` integer,
	`crawled_at` integer,
	`fetched_at` integer,
	`extractor_version` text,
	`changed_at` integer,
	`updated_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `addresses_source_url_unique` ON `addresses` (`source_id`,`url`);--> statement-breakpoint
CREATE INDEX `addresses_collection_created` ON `addresses` (`collection_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `addresses_created` ON `addresses` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `addresses_organization_created` ON `addresses` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `addresses_source_status` ON `addresses` (`source_id`,`status`,`next_fetch_at`);--> statement-breakpoint
CREATE INDEX `addresses_source_line` ON `addresses` (`source_id`,`status`,`depth`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `addresses_source_counted` ON `addresses` (`source_id`,`status`,`reason`,`fragments`);--> statement-breakpoint
CREATE INDEX `addresses_source_text` ON `addresses` (`source_id`,`text_hash`,`fragments`);--> statement-breakpoint
CREATE INDEX `addresses_source_id` ON `addresses` (`source_id`,`id`);--> statement-breakpoint
CREATE INDEX `addresses_collection_reason` ON `addresses` (`collection_id`,`reason`);--> statement-breakpoint
CREATE INDEX `addresses_collection_language` ON `addresses` (`collection_id`,`language`);--> statement-breakpoint
CREATE INDEX `addresses_source_canonical` ON `addresses` (`source_id`,`canonical_url`) WHERE "addresses"."canonical_url" is not null;--> statement-breakpoint
CREATE TABLE `fragments` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`collection_id` text NOT NULL,
	`source_id` text NOT NULL,
	`address_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`title` text NOT NULL,
	`headings` text NOT NULL,
	`inner_headings` text DEFAULT '' NOT NULL,
	`text` text NOT NULL,
	`anchor` text,
	`hash` text NOT NULL,
	`tokens` integer NOT NULL,
	`language` text DEFAULT '' NOT NULL,
	`vector_model` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`address_id`) REFERENCES `addresses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `fragments_id_unique` ON `fragments` (`id`);--> statement-breakpoint
CREATE INDEX `fragments_address` ON `fragments` (`address_id`,`ordinal`);--> statement-breakpoint
CREATE INDEX `fragments_address_hash` ON `fragments` (`address_id`,`hash`);--> statement-breakpoint
CREATE INDEX `fragments_collection_model` ON `fragments` (`collection_id`,`vector_model`);--> statement-breakpoint
CREATE INDEX `fragments_source` ON `fragments` (`source_id`);--> statement-breakpoint
CREATE INDEX `fragments_organization_hash` ON `fragments` (`organization_id`,`hash`) WHERE "fragments"."vector_model" is not null;--> statement-breakpoint
CREATE TABLE `text_index_backlog` (
	`key` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `agents` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`collection_id` text,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`provider` text,
	`provider_key` text,
	`uses_organization_key` integer DEFAULT false NOT NULL,
	`refused_key_hash` text,
	`model` text,
	`prompt` text,
	`fragment_similarity` real NOT NULL,
	`fragment_limit` integer NOT NULL,
	`max_total_output_tokens` integer NOT NULL,
	`history_limit` integer NOT NULL,
	`message_length` integer NOT NULL,
	`disabled` integer DEFAULT false NOT NULL,
	`archived_at` integer,
	`failed_answers` integer DEFAULT 0 NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `agents_organization_created` ON `agents` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `agents_collection` ON `agents` (`collection_id`);--> statement-breakpoint
CREATE INDEX `agents_created` ON `agents` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `audit_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization_id` text,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`actor_email` text,
	`action` text NOT NULL,
	`subject_id` text NOT NULL,
	`subject_name` text NOT NULL,
	`changes` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_events_organization` ON `audit_events` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_created` ON `audit_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `address_blocks` (
	`address_id` text PRIMARY KEY NOT NULL,
	`source_id` text NOT NULL,
	`blocks` blob NOT NULL,
	`hashes` blob NOT NULL,
	`boilerplate_signature` text DEFAULT '' NOT NULL,
	`is_entry_page` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`address_id`) REFERENCES `addresses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `address_blocks_source` ON `address_blocks` (`source_id`,`address_id`);--> statement-breakpoint
CREATE TABLE `site_blocks` (
	`source_id` text NOT NULL,
	`hash` text NOT NULL,
	`address_id` text DEFAULT '' NOT NULL,
	`is_repeated` integer DEFAULT true NOT NULL,
	PRIMARY KEY(`source_id`, `hash`),
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`agent_model` text,
	`agent_prompt` text,
	`created_by` text,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `collections_organization_created` ON `collections` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `collections_created` ON `collections` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`source_id` text NOT NULL,
	`kind` text DEFAULT 'full' NOT NULL,
	`started_at` integer NOT NULL,
	`discovered_at` integer,
	`finished_at` integer,
	`cancelled_at` integer,
	`checked` integer DEFAULT 0 NOT NULL,
	`fetched` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`changed` integer DEFAULT 0 NOT NULL,
	`new` integer DEFAULT 0 NOT NULL,
	`withdrawn` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`ignored` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`fragments` integer DEFAULT 0 NOT NULL,
	`embedded` integer DEFAULT 0 NOT NULL,
	`reason` text,
	`message` text,
	`exclusions` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `runs_source_started` ON `runs` (`source_id`,`started_at`);--> statement-breakpoint
CREATE TABLE `sources` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`collection_id` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`message` text,
	`url` text,
	`start_path` text,
	`file_name` text,
	`include` text DEFAULT '[]' NOT NULL,
	`exclude` text DEFAULT '[]' NOT NULL,
	`include_selectors` text DEFAULT '[]' NOT NULL,
	`exclude_selectors` text DEFAULT '[]' NOT NULL,
	`max_pages` integer,
	`max_depth` integer,
	`refresh_interval` text DEFAULT 'weekly' NOT NULL,
	`refresh_due_at` integer,
	`crawl_delay_ms` integer,
	`sealed_headers` text,
	`paused_at` integer,
	`refreshed_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sources_collection_created` ON `sources` (`collection_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `sources_created` ON `sources` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sources_creator` ON `sources` (`created_by`);--> statement-breakpoint
CREATE INDEX `sources_deleted` ON `sources` (`deleted_at`) WHERE "sources"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `sources_refresh_due` ON `sources` (`refresh_due_at`) WHERE "sources"."refresh_due_at" is not null;--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`source_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`is_waiting` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_source_place_unique` ON `files` (`source_id`,`is_waiting`);--> statement-breakpoint
CREATE INDEX `files_organization` ON `files` (`organization_id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`organization_id` text,
	`status` text DEFAULT 'queued' NOT NULL,
	`dedupe_key` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`error` text,
	`run_after` integer NOT NULL,
	`leased_until` integer,
	`worker` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "jobs_attempts_not_negative" CHECK("jobs"."attempts" >= 0)
);
--> statement-breakpoint
CREATE INDEX `jobs_queued` ON `jobs` (`run_after`) WHERE "jobs"."status" = 'queued';--> statement-breakpoint
CREATE INDEX `jobs_running` ON `jobs` (`leased_until`) WHERE "jobs"."status" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_dedupe_key_unique` ON `jobs` (`dedupe_key`) WHERE "jobs"."status" = 'queued';--> statement-breakpoint
CREATE TABLE `workers` (
	`id` text PRIMARY KEY NOT NULL,
	`hostname` text NOT NULL,
	`pid` integer NOT NULL,
	`kind` text NOT NULL,
	`started_at` integer NOT NULL,
	`heartbeat_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `former_public_keys` (
	`agent_id` text NOT NULL,
	`key_hash` text NOT NULL,
	`retired_at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `key_hash`),
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `keychains` (
	`agent_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`public_key` text NOT NULL,
	`private_key_hash` text NOT NULL,
	`private_key` text NOT NULL,
	`allowed_ips` text DEFAULT '' NOT NULL,
	`allowed_origins` text DEFAULT '' NOT NULL,
	`rate_limit` integer NOT NULL,
	`daily_messages` integer,
	`counted_day` text DEFAULT '' NOT NULL,
	`counted_messages` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keychains_publicKey_unique` ON `keychains` (`public_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `keychains_privateKeyHash_unique` ON `keychains` (`private_key_hash`);--> statement-breakpoint
CREATE TABLE `refused_origins` (
	`agent_id` text NOT NULL,
	`origin` text NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `origin`),
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`token_hash` text NOT NULL,
	`token` text NOT NULL,
	`mail_status` text,
	`created_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_organization_email_unique` ON `invitations` (`organization_id`,`email`);--> statement-breakpoint
CREATE INDEX `invitations_expires` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_organization_user_unique` ON `members` (`organization_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `members_user` ON `members` (`user_id`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`entity_name` text DEFAULT '' NOT NULL,
	`default_agent_provider` text,
	`default_agent_model` text,
	`default_agent_provider_key` text,
	`plan` text DEFAULT 'free' NOT NULL,
	`onboarding` text,
	`onboarded_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "organizations_name_not_empty" CHECK("organizations"."name" <> '')
);
--> statement-breakpoint
CREATE INDEX `organizations_created` ON `organizations` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `organizations_deleted` ON `organizations` (`deleted_at`) WHERE "organizations"."deleted_at" is not null;--> statement-breakpoint
CREATE TABLE `pictures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`origin` text NOT NULL,
	`media_type` text,
	`content` blob,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `plans` (
	`name` text PRIMARY KEY NOT NULL,
	`display_name` text NOT NULL,
	`collections` integer DEFAULT 0 NOT NULL,
	`sources` integer DEFAULT 0 NOT NULL,
	`urls` integer DEFAULT 0 NOT NULL,
	`crawls` integer DEFAULT 0 NOT NULL,
	`agents` integer DEFAULT 0 NOT NULL,
	`threads` integer DEFAULT 0 NOT NULL,
	`messages` integer DEFAULT 0 NOT NULL,
	`searches` integer DEFAULT 0 NOT NULL,
	`api_requests` integer DEFAULT 0 NOT NULL,
	`storage` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "plans_collections_not_negative" CHECK("plans"."collections" >= 0),
	CONSTRAINT "plans_sources_not_negative" CHECK("plans"."sources" >= 0),
	CONSTRAINT "plans_urls_not_negative" CHECK("plans"."urls" >= 0),
	CONSTRAINT "plans_crawls_not_negative" CHECK("plans"."crawls" >= 0),
	CONSTRAINT "plans_agents_not_negative" CHECK("plans"."agents" >= 0),
	CONSTRAINT "plans_threads_not_negative" CHECK("plans"."threads" >= 0),
	CONSTRAINT "plans_messages_not_negative" CHECK("plans"."messages" >= 0),
	CONSTRAINT "plans_searches_not_negative" CHECK("plans"."searches" >= 0),
	CONSTRAINT "plans_apirequests_not_negative" CHECK("plans"."api_requests" >= 0),
	CONSTRAINT "plans_storage_not_negative" CHECK("plans"."storage" >= 0)
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`thread_id` text NOT NULL,
	`role` text NOT NULL,
	`provider` text,
	`model` text,
	`content` text NOT NULL,
	`status` integer NOT NULL,
	`status_message` text,
	`fragments` text NOT NULL,
	`candidates` text NOT NULL,
	`cited` text NOT NULL,
	`verdict` text,
	`search_query` text,
	`tokens_input` integer,
	`tokens_output` integer,
	`time_processing` integer,
	`time_search` integer,
	`time_first_text` integer,
	`feedback` text,
	`feedback_comment` text,
	`leased_until` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `messages_thread_created` ON `messages` (`thread_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `messages_leased` ON `messages` (`leased_until`) WHERE "messages"."leased_until" is not null;--> statement-breakpoint
CREATE TABLE `threads` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`agent_id` text,
	`title` text NOT NULL,
	`created_by` text,
	`provider` text,
	`provider_thread_id` text,
	`published_at` integer,
	`meta_origin` text,
	`meta_ip` text,
	`meta_user_agent` text,
	`external_user_id` text,
	`external_user_email` text,
	`external_session_id` text,
	`visitor_token_hash` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `threads_organization_created` ON `threads` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `threads_agent_created` ON `threads` (`agent_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `threads_created` ON `threads` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `threads_creator_created` ON `threads` (`created_by`,`created_at`);--> statement-breakpoint
CREATE TABLE `usage` (
	`organization_id` text NOT NULL,
	`year` integer NOT NULL,
	`month` integer NOT NULL,
	`crawls` integer DEFAULT 0 NOT NULL,
	`messages` integer DEFAULT 0 NOT NULL,
	`searches` integer DEFAULT 0 NOT NULL,
	`api_requests` integer DEFAULT 0 NOT NULL,
	`collections` integer DEFAULT 0 NOT NULL,
	`sources` integer DEFAULT 0 NOT NULL,
	`urls` integer DEFAULT 0 NOT NULL,
	`agents` integer DEFAULT 0 NOT NULL,
	`threads` integer DEFAULT 0 NOT NULL,
	`storage` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organization_id`, `year`, `month`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "usage_crawls_not_negative" CHECK("usage"."crawls" >= 0),
	CONSTRAINT "usage_messages_not_negative" CHECK("usage"."messages" >= 0),
	CONSTRAINT "usage_searches_not_negative" CHECK("usage"."searches" >= 0),
	CONSTRAINT "usage_api_requests_not_negative" CHECK("usage"."api_requests" >= 0)
);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_normalized` text NOT NULL,
	`password_hash` text NOT NULL,
	`name` text,
	`surname` text,
	`email_verified` integer DEFAULT false NOT NULL,
	`pending_email` text,
	`pending_email_token` text,
	`pending_email_expires_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_unique` ON `accounts` (`email_normalized`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`email` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `links_purpose` ON `links` (`purpose`) WHERE "links"."used_at" is null;--> statement-breakpoint
CREATE TABLE `oidc_payloads` (
	`id` text PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`payload` text NOT NULL,
	`grant_id` text,
	`user_code` text,
	`uid` text,
	`expires_at` integer,
	`consumed_at` integer
);
--> statement-breakpoint
CREATE INDEX `oidc_payloads_grant` ON `oidc_payloads` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oidc_payloads_uid` ON `oidc_payloads` (`model`,`uid`);--> statement-breakpoint
CREATE INDEX `oidc_payloads_expires` ON `oidc_payloads` (`expires_at`,`model`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`id_token` text,
	`provider_session` text,
	`user_agent` text,
	`ip` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_normalized` text NOT NULL,
	`name` text,
	`surname` text,
	`picture_version` text,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`type` integer DEFAULT 0 NOT NULL,
	`tokens_valid_from` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email_normalized`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_subject_unique` ON `users` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `users_created` ON `users` (`created_at`,`id`);
--> statement-breakpoint
-- The rest is written by hand: Drizzle does not know virtual tables. Their keys are those of `fragments`.
CREATE TABLE text_index_partitions (number integer PRIMARY KEY, collection_id text NOT NULL UNIQUE);
--> statement-breakpoint
CREATE VIRTUAL TABLE fragment_words USING fts5(
	place, title, headings, text, title_stems, heading_stems, text_stems,
	content='', contentless_delete=1, tokenize="ascii tokenchars ':~'"
);
--> statement-breakpoint
CREATE VIRTUAL TABLE fragment_vocabulary USING fts5vocab(fragment_words, row);
--> statement-breakpoint
CREATE VIRTUAL TABLE fragment_vectors USING vec0(
	key integer primary key, collection_id text partition key, vector float[384] distance_metric=cosine, chunk_size=256
);
--> statement-breakpoint
CREATE INDEX fragment_vectors_partition ON fragment_vectors_chunks (partition00);
--> statement-breakpoint
CREATE TABLE vector_revisions (
	revision integer PRIMARY KEY AUTOINCREMENT,
	collection_id text NOT NULL UNIQUE,
	searched_at integer
);
--> statement-breakpoint
CREATE TABLE vector_chunks (
	chunk_id integer PRIMARY KEY,
	collection_id text NOT NULL,
	revision integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX vector_chunks_collection ON vector_chunks (collection_id, revision);
