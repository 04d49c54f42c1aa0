-- The files of withheld posts are stored too. Moving a post to `withheld_post` and back changes nothing in total.
CREATE OR REPLACE FUNCTION "recount_stored"() RETURNS void LANGUAGE sql AS $$
	DELETE FROM "stored_bytes";
	INSERT INTO "stored_bytes" SELECT 'paste', coalesce(sum(octet_length("sealed")), 0) FROM "paste";
	INSERT INTO "stored_bytes" SELECT 'image', coalesce(sum(coalesce("image"->>'storedBytes', "image"->>'bytes')::bigint), 0)
		FROM (SELECT "image" FROM "post" WHERE "image" IS NOT NULL UNION ALL SELECT "image" FROM "image_share"
			UNION ALL SELECT "image" FROM "withheld_post" WHERE "image" IS NOT NULL) AS "images"
$$;--> statement-breakpoint
SELECT "recount_stored"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored_insert" AFTER INSERT ON "withheld_post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (new.image IS NOT NULL) EXECUTE FUNCTION "count_stored_image"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored_delete" AFTER DELETE ON "withheld_post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (old.image IS NOT NULL) EXECUTE FUNCTION "count_stored_image"();--> statement-breakpoint
-- When a moderator deletes only the image of a post.
CREATE CONSTRAINT TRIGGER "count_stored_update" AFTER UPDATE ON "post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (old.image IS NOT NULL AND new.image IS NULL) EXECUTE FUNCTION "count_stored_image"();
