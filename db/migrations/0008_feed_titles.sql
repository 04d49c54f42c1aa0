ALTER TABLE "feed" ADD COLUMN "title" text;--> statement-breakpoint
ALTER TABLE "feed" ADD COLUMN "source" text;--> statement-breakpoint
UPDATE "feed" SET "etag" = NULL, "last_modified" = NULL;
