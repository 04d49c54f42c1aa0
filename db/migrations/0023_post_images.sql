ALTER TABLE "post" ADD COLUMN "more_images" jsonb;--> statement-breakpoint
ALTER TABLE "withheld_post" ADD COLUMN "more_images" jsonb;--> statement-breakpoint
CREATE INDEX "post_by_more_images" ON "post" USING gin (jsonb_path_query_array("more_images", '$[*].id')) WHERE "post"."more_images" is not null;--> statement-breakpoint
CREATE INDEX "withheld_post_by_more_images" ON "withheld_post" USING gin (jsonb_path_query_array("more_images", '$[*].id')) WHERE "withheld_post"."more_images" is not null;--> statement-breakpoint
CREATE FUNCTION "image_bytes"("image" jsonb, "more_images" jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(sum(coalesce(one->>'storedBytes', one->>'bytes')::bigint), 0)::bigint
	FROM jsonb_array_elements(jsonb_build_array(image) || coalesce(more_images, '[]')) AS one
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "recount_stored"() RETURNS void LANGUAGE sql AS $$
	DELETE FROM "stored_bytes";
	INSERT INTO "stored_bytes" SELECT 'paste', coalesce(sum(octet_length("sealed")), 0) FROM "paste";
	INSERT INTO "stored_bytes" SELECT 'image', coalesce(sum(image_bytes("image", "more_images")), 0)
		FROM (SELECT "image", "more_images" FROM "post" WHERE "image" IS NOT NULL
			UNION ALL SELECT "image", NULL FROM "image_share"
			UNION ALL SELECT "image", "more_images" FROM "withheld_post" WHERE "image" IS NOT NULL) AS "images"
$$;--> statement-breakpoint
CREATE FUNCTION "count_stored_images"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	change bigint := 0;
BEGIN
	IF tg_op <> 'DELETE' THEN change := change + image_bytes(new.image, new.more_images); END IF;
	IF tg_op <> 'INSERT' THEN change := change - image_bytes(old.image, old.more_images); END IF;
	PERFORM count_stored('image', change);
	RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "count_stored_insert" ON "post";--> statement-breakpoint
DROP TRIGGER "count_stored_delete" ON "post";--> statement-breakpoint
DROP TRIGGER "count_stored_update" ON "post";--> statement-breakpoint
DROP TRIGGER "count_stored_insert" ON "withheld_post";--> statement-breakpoint
DROP TRIGGER "count_stored_delete" ON "withheld_post";--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored_insert" AFTER INSERT ON "post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (new.image IS NOT NULL) EXECUTE FUNCTION "count_stored_images"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored_delete" AFTER DELETE ON "post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (old.image IS NOT NULL) EXECUTE FUNCTION "count_stored_images"();--> statement-breakpoint
-- When a moderator deletes one image of a post, or all.
CREATE CONSTRAINT TRIGGER "count_stored_update" AFTER UPDATE ON "post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (old.image IS DISTINCT FROM new.image OR old.more_images IS DISTINCT FROM new.more_images)
	EXECUTE FUNCTION "count_stored_images"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored_insert" AFTER INSERT ON "withheld_post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (new.image IS NOT NULL) EXECUTE FUNCTION "count_stored_images"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored_delete" AFTER DELETE ON "withheld_post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (old.image IS NOT NULL) EXECUTE FUNCTION "count_stored_images"();
