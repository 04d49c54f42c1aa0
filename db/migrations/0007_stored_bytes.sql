CREATE TABLE "stored_bytes" (
	"kind" text PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION "recount_stored"() RETURNS void LANGUAGE sql AS $$
	DELETE FROM "stored_bytes";
	INSERT INTO "stored_bytes" SELECT 'paste', coalesce(sum(octet_length("sealed")), 0) FROM "paste";
	INSERT INTO "stored_bytes" SELECT 'image', coalesce(sum(coalesce("image"->>'storedBytes', "image"->>'bytes')::bigint), 0)
		FROM (SELECT "image" FROM "post" WHERE "image" IS NOT NULL UNION ALL SELECT "image" FROM "image_share") AS "images"
$$;--> statement-breakpoint
SELECT "recount_stored"();--> statement-breakpoint
CREATE FUNCTION "count_stored"("counted" text, "change" bigint) RETURNS void LANGUAGE sql AS $$
	INSERT INTO "stored_bytes" VALUES (counted, greatest(0, change))
	ON CONFLICT ("kind") DO UPDATE SET "bytes" = greatest(0, "stored_bytes"."bytes" + change)
$$;--> statement-breakpoint
CREATE FUNCTION "count_stored_paste"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM count_stored('paste', CASE tg_op WHEN 'INSERT' THEN octet_length(new.sealed) ELSE -octet_length(old.sealed) END);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "count_stored_image"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	image jsonb := CASE tg_op WHEN 'INSERT' THEN new.image ELSE old.image END;
	bytes bigint := coalesce(image->>'storedBytes', image->>'bytes');
BEGIN
	PERFORM count_stored('image', CASE tg_op WHEN 'INSERT' THEN bytes ELSE -bytes END);
	RETURN NULL;
END $$;--> statement-breakpoint
-- At the end of a transaction, so that the row that all share is locked last and shortly.
CREATE CONSTRAINT TRIGGER "count_stored" AFTER INSERT OR DELETE ON "paste" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_stored_paste"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored" AFTER INSERT OR DELETE ON "image_share" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_stored_image"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored_insert" AFTER INSERT ON "post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (new.image IS NOT NULL) EXECUTE FUNCTION "count_stored_image"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "count_stored_delete" AFTER DELETE ON "post" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (old.image IS NOT NULL) EXECUTE FUNCTION "count_stored_image"();
