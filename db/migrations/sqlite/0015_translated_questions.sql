ALTER TABLE `agents` ADD `translates_questions` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `translated_query` text;