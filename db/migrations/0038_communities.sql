CREATE TABLE "moved_thread" (
	"thread_id" bigint NOT NULL,
	"board_id" text NOT NULL,
	CONSTRAINT "moved_thread_thread_id_board_id_pk" PRIMARY KEY("thread_id","board_id")
);
--> statement-breakpoint
DROP VIEW "public"."live_post";--> statement-breakpoint
DROP VIEW "public"."shown_post";--> statement-breakpoint
ALTER TABLE "board" ADD COLUMN "default_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "board" ADD COLUMN "latest_replies" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "bumplocked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "cyclical" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "filter" ADD COLUMN "replacement" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "capcode" text;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "moved_thread" ADD CONSTRAINT "moved_thread_thread_id_thread_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."thread"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE VIEW "public"."live_post" AS (select "id", "thread_id", "parent_id", "author", "content", "links", "image_id", "image", "more_images", "spoiler", "sage", "tripcode", "capcode", "note", "poster_label", "file_deleted", "created_at", "state", "state_at", "log_id", "held_for", "release_at", "stub" from "post" where "post"."state" = 'live');--> statement-breakpoint
CREATE VIEW "public"."shown_post" AS (select "id", "thread_id", "parent_id", "created_at", "state", "stub", "file_deleted", case when "stub" then '' else "author" end as "author", case when "stub" then '' else "content" end as "content", case when "stub" then '[]' else "links" end as "links", case when "stub" then null else "image" end as "image", case when "stub" then null else "more_images" end as "more_images", case when "stub" then false else "spoiler" end as "spoiler", case when "stub" then false else "sage" end as "sage", case when "stub" then null else "tripcode" end as "tripcode", case when "stub" then null else "capcode" end as "capcode", case when "stub" then null else "note" end as "note", case when "stub" then null else "poster_label" end as "poster_label" from "post" where "post"."state" = 'live' or "post"."stub");