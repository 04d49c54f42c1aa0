ALTER TABLE "quote" DROP CONSTRAINT "quote_to_id_post_id_fk";
--> statement-breakpoint
DROP INDEX "post_by_thread";--> statement-breakpoint
DROP INDEX "comment_by_thread";--> statement-breakpoint
DROP INDEX "post_by_age";--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "file_deleted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "state" text DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "state_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "log_id" bigint;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "held_for" text;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "release_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "stub" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "post" ADD CONSTRAINT "post_log_id_moderation_log_id_fk" FOREIGN KEY ("log_id") REFERENCES "public"."moderation_log"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withheld_by_thread" ON "post" USING btree ("thread_id") WHERE "post"."state" in ('held', 'removed');--> statement-breakpoint
CREATE INDEX "withheld_by_age" ON "post" USING btree ("state_at") WHERE "post"."state" in ('held', 'removed');--> statement-breakpoint
CREATE INDEX "post_by_removal" ON "post" USING btree ("log_id") WHERE "post"."state" = 'removed';--> statement-breakpoint
CREATE INDEX "post_by_hold" ON "post" USING btree ("id") WHERE "post"."state" = 'held';--> statement-breakpoint
CREATE INDEX "post_by_release" ON "post" USING btree ("release_at") WHERE "post"."state" = 'held';--> statement-breakpoint
CREATE INDEX "post_by_thread" ON "post" USING btree ("thread_id","id") WHERE "post"."state" = 'live' or "post"."stub";--> statement-breakpoint
CREATE INDEX "comment_by_thread" ON "post" USING btree ("thread_id","id" DESC NULLS FIRST) WHERE "post"."state" = 'live' and "post"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "post_by_age" ON "post" USING btree ("created_at","thread_id") WHERE "post"."state" = 'live';--> statement-breakpoint
CREATE VIEW "public"."live_post" AS (select "id", "thread_id", "parent_id", "author", "content", "links", "image_id", "image", "more_images", "spoiler", "sage", "tripcode", "poster_label", "file_deleted", "created_at", "state", "state_at", "log_id", "held_for", "release_at", "stub" from "post" where "post"."state" = 'live');--> statement-breakpoint
CREATE VIEW "public"."shown_post" AS (select "id", "thread_id", "parent_id", "created_at", "state", "stub", "file_deleted", case when "stub" then '' else "author" end as "author", case when "stub" then '' else "content" end as "content", case when "stub" then '[]' else "links" end as "links", case when "stub" then null else "image" end as "image", case when "stub" then null else "more_images" end as "more_images", case when "stub" then false else "spoiler" end as "spoiler", case when "stub" then false else "sage" end as "sage", case when "stub" then null else "tripcode" end as "tripcode", case when "stub" then null else "poster_label" end as "poster_label" from "post" where "post"."state" = 'live' or "post"."stub");--> statement-breakpoint
-- Indexes only live posts.
CREATE OR REPLACE FUNCTION "index_posts"("ids" bigint[]) RETURNS void LANGUAGE sql AS $$
	INSERT INTO "post_search" ("post_id", "vector")
	SELECT p.id,
		setweight(to_tsvector('simple', CASE WHEN p.id = p.thread_id THEN search_words(t.title) ELSE '' END), 'A')
		|| to_tsvector('simple', search_words(p.content))
		|| array_to_tsvector(array_remove(ARRAY[' b' || (p.id >> 12), ' c' || (p.id >> 16), ' g' || t.board_id, ' n' || search_fold(p.author),
			CASE WHEN p.image IS NOT NULL THEN ' i' END, to_char(p.created_at AT TIME ZONE 'UTC', '" y"YYYY'),
			to_char(p.created_at AT TIME ZONE 'UTC', '" m"YYYYMM'), to_char(p.created_at AT TIME ZONE 'UTC', '" d"YYYYMMDD')], NULL))
	FROM unnest(ids) AS given(id) JOIN "live_post" p ON p.id = given.id JOIN "thread" t ON t.id = p.thread_id
$$;
