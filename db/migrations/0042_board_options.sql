ALTER TABLE "board" ADD COLUMN "default_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "board" ADD COLUMN "latest_replies" integer DEFAULT 1 NOT NULL;