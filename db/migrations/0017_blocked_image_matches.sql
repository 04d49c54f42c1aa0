ALTER TABLE "blocked_image" ADD COLUMN "matches" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "blocked_image" ADD COLUMN "last_match_at" timestamp (3) with time zone;