DROP INDEX "thread_by_activity";--> statement-breakpoint
DROP INDEX "thread_by_activity_anywhere";--> statement-breakpoint
ALTER TABLE "board" ADD COLUMN "thread_limit" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "image_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "thread" SET "image_count" = counted."images" FROM (
	SELECT "thread_id", count(*) AS "images" FROM "post" WHERE "image_id" IS NOT NULL GROUP BY "thread_id") AS counted
WHERE counted."thread_id" = "thread"."id";--> statement-breakpoint
CREATE INDEX "archived_thread" ON "thread" USING btree ("board_id","last_activity" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "thread"."deleted_at" is null and "thread"."archived_at" is not null;--> statement-breakpoint
CREATE INDEX "thread_by_activity" ON "thread" USING btree ("board_id","last_activity" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "thread"."deleted_at" is null and "thread"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "thread_by_activity_anywhere" ON "thread" USING btree ("last_activity" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "thread"."deleted_at" is null and "thread"."archived_at" is null;