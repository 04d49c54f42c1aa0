CREATE TABLE "article" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"feed_url" text NOT NULL,
	"guid" text NOT NULL,
	"url" text NOT NULL,
	"url_key" text NOT NULL,
	"title" text NOT NULL,
	"source" text NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"image_urls" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"image_at" timestamp (3) with time zone,
	"image_id" text,
	"image" jsonb
);
--> statement-breakpoint
CREATE TABLE "feed" (
	"url" text PRIMARY KEY NOT NULL,
	"etag" text,
	"last_modified" text,
	"next_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure" text
);
--> statement-breakpoint
ALTER TABLE "article" ADD CONSTRAINT "article_feed_url_feed_url_fk" FOREIGN KEY ("feed_url") REFERENCES "public"."feed"("url") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "article_by_guid" ON "article" USING btree ("feed_url","guid");--> statement-breakpoint
CREATE UNIQUE INDEX "article_by_url" ON "article" USING btree ("url_key");--> statement-breakpoint
CREATE INDEX "article_by_date" ON "article" USING btree ("published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "article_by_source" ON "article" USING btree ("source","published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "article_without_image" ON "article" USING btree ("image_at") WHERE "article"."image_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "article_by_image" ON "article" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "thread_by_activity_anywhere" ON "thread" USING btree ("last_activity" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "thread"."deleted_at" is null;