CREATE TABLE `model_changes` (
	`collection_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`model` text NOT NULL,
	`identity` text,
	`phase` text DEFAULT 'building' NOT NULL,
	`through_key` integer DEFAULT 0 NOT NULL,
	`embedded` integer DEFAULT 0 NOT NULL,
	`active_ms` integer DEFAULT 0 NOT NULL,
	`message` text,
	`swapped_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
DROP INDEX `fragments_collection_model`;--> statement-breakpoint
CREATE INDEX `fragments_collection_model` ON `fragments` (`collection_id`,`vector_model`,`key`);--> statement-breakpoint
ALTER TABLE `collections` ADD `embedding_model` text;--> statement-breakpoint
ALTER TABLE `collections` ADD `vector_model` text;--> statement-breakpoint
ALTER TABLE `collections` ADD `vector_slot` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE collections SET vector_model = (
	SELECT CASE WHEN min(vector_model) = max(vector_model) THEN min(vector_model) ELSE 'several models' END
	FROM fragments WHERE collection_id = collections.id AND vector_model IS NOT NULL
	HAVING count(*) > 0
);
--> statement-breakpoint
ALTER TABLE vector_chunks RENAME COLUMN collection_id TO set_id;
--> statement-breakpoint
ALTER TABLE vector_revisions RENAME COLUMN collection_id TO set_id;
--> statement-breakpoint
ALTER TABLE vector_projections RENAME COLUMN collection_id TO set_id;
