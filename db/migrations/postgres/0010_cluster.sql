-- Written by hand: what SQLite installations keep in virtual tables or in memory.
CREATE TABLE fragment_vectors (
	key bigint PRIMARY KEY REFERENCES fragments(key) ON DELETE CASCADE,
	vector bytea NOT NULL
);
--> statement-breakpoint
ALTER TABLE fragment_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE SEQUENCE search_revisions;
--> statement-breakpoint
CREATE TABLE search_outbox (
	key bigint PRIMARY KEY,
	collection_id text NOT NULL,
	revision bigint NOT NULL DEFAULT nextval('search_revisions'),
	leased_until bigint NOT NULL DEFAULT 0,
	queued_at bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX search_outbox_revision ON search_outbox (revision);
--> statement-breakpoint
CREATE UNLOGGED TABLE host_turns (
	host text PRIMARY KEY,
	holder text,
	leased_until bigint NOT NULL DEFAULT 0,
	starts_at bigint NOT NULL DEFAULT 0
);
--> statement-breakpoint
CREATE UNLOGGED TABLE rate_windows (
	key text PRIMARY KEY,
	times bigint[] NOT NULL,
	expires_at bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX rate_windows_expires_at ON rate_windows (expires_at);
--> statement-breakpoint
CREATE UNLOGGED TABLE rate_points (
	key varchar(255) PRIMARY KEY,
	points integer NOT NULL DEFAULT 0,
	expire bigint
);
--> statement-breakpoint
CREATE FUNCTION notify_jobs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('sitelore_jobs', ''); RETURN NULL; END $$;
--> statement-breakpoint
CREATE TRIGGER jobs_inserted AFTER INSERT ON jobs FOR EACH STATEMENT EXECUTE FUNCTION notify_jobs();
