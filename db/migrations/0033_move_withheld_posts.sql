-- A restored backup of the older form runs these statements too, on temporary tables with the same names.
INSERT INTO "thread" ("id", "board_id", "title", "last_activity", "deleted_at")
	SELECT w."id", w."board_id", coalesce(w."title", ''), w."created_at", w."created_at"
	FROM "withheld_post" w WHERE w."id" = w."thread_id" AND EXISTS (SELECT FROM "board" WHERE "board"."id" = w."board_id")
	ON CONFLICT ("id") DO UPDATE SET "title" = excluded."title" WHERE "thread"."deleted_at" IS NOT NULL;--> statement-breakpoint
UPDATE "thread" SET "changed_at" = greatest("last_activity", "archived_at", "deleted_at",
	(SELECT max(p."created_at") FROM "live_post" p WHERE p."thread_id" = "thread"."id"));--> statement-breakpoint
-- The stored bytes contain the images of these posts already.
ALTER TABLE "post" DISABLE TRIGGER USER;--> statement-breakpoint
-- Comments that were erased while answers to them were withheld.
INSERT INTO "post" ("id", "thread_id", "author", "content", "created_at", "state", "state_at")
	SELECT DISTINCT ON (w."parent_id") w."parent_id", w."thread_id", '', '', w."created_at", 'erased', w."withheld_at"
	FROM "withheld_post" w JOIN "thread" ON "thread"."id" = w."thread_id"
	WHERE w."parent_id" IS NOT NULL
		AND NOT EXISTS (SELECT FROM "post" p WHERE p."id" = w."parent_id")
		AND NOT EXISTS (SELECT FROM "withheld_post" p WHERE p."id" = w."parent_id")
	ORDER BY w."parent_id", w."id";--> statement-breakpoint
INSERT INTO "post" ("id", "thread_id", "parent_id", "author", "content", "links", "image_id", "image", "more_images", "spoiler",
		"sage", "tripcode", "poster_label", "created_at", "state", "state_at", "log_id", "held_for", "release_at")
	SELECT w."id", w."thread_id", w."parent_id", w."author", w."content", w."links", w."image_id", w."image", w."more_images", w."spoiler",
		w."sage", w."tripcode", w."poster_label", w."created_at", CASE WHEN w."held_for" IS NULL THEN 'removed' ELSE 'held' END,
		w."withheld_at", w."log_id", coalesce(w."held_for", w."was_held_for"), w."release_at"
	FROM "withheld_post" w JOIN "thread" ON "thread"."id" = w."thread_id"
	WHERE NOT EXISTS (SELECT FROM "post" p WHERE p."id" = w."id")
	ORDER BY w."parent_id" NULLS FIRST, w."id";--> statement-breakpoint
INSERT INTO "quote" ("from_id", "to_id")
	SELECT r."from_id", r."to_id" FROM "removed_quote" r JOIN "post" p ON p."id" = r."from_id" AND p."state" = 'live'
	ON CONFLICT DO NOTHING;--> statement-breakpoint
ALTER TABLE "post" ENABLE TRIGGER USER;--> statement-breakpoint
DROP TABLE "withheld_post", "removed_quote";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "recount_stored"() RETURNS void LANGUAGE sql AS $$
	DELETE FROM "stored_bytes";
	INSERT INTO "stored_bytes" SELECT 'paste', coalesce(sum(octet_length("sealed")), 0) FROM "paste";
	INSERT INTO "stored_bytes" SELECT 'image', coalesce(sum(image_bytes("image", "more_images")), 0)
		FROM (SELECT "image", "more_images" FROM "post" WHERE "image" IS NOT NULL
			UNION ALL SELECT "image", NULL FROM "image_share") AS "images"
$$;
