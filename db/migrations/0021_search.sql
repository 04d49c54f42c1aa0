CREATE TABLE "post_search" (
	"post_id" bigint PRIMARY KEY NOT NULL,
	"vector" "tsvector" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "post_search" ADD CONSTRAINT "post_search_post_id_post_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."post"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_search_by_word" ON "post_search" USING gin ("vector") WITH (fastupdate=false);--> statement-breakpoint
-- No query uses statistics of the words, and they would contain samples of posts.
ALTER TABLE "post_search" ALTER COLUMN "vector" SET STATISTICS 0;--> statement-breakpoint
-- Folds case, accents and compatibility characters. A database with the locale C lowers only ASCII letters by itself;
-- pg_c_utf8 exists from PostgreSQL 17 on.
DO $do$
DECLARE
	folding text := CASE WHEN EXISTS (SELECT FROM pg_collation c JOIN pg_database d ON d.encoding = c.collencoding
		WHERE c.collname = 'pg_c_utf8' AND d.datname = current_database()) THEN ' COLLATE pg_c_utf8' ELSE '' END;
BEGIN
	EXECUTE format($create$
		CREATE FUNCTION "search_fold"("value" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
			SELECT CASE WHEN octet_length(value) = char_length(value) THEN lower(value)
				ELSE lower(normalize(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC)%s) END
		$$ $create$, folding);
END $do$;--> statement-breakpoint
-- Returns only words and spaces, so that PostgreSQL's parser finds no paths, URLs and tags: "etc/passwd" is two words.
-- Han, Hiragana and Katakana are written without spaces: each character becomes a word, and a phrase finds a word.
CREATE FUNCTION "search_words"("value" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT regexp_replace(regexp_replace(search_fold(value),
		'[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u2bff\u2e00-\u3004\u3008-\u3020\u3030-\u303f\u30fb\ufe00-\ufe6f\U0001f000-\U0001faff]+', ' ', 'g'),
		'([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])', ' \1 ', 'g')
$$;--> statement-breakpoint
-- Returns the query for a label. Its text is quoted, not parsed.
CREATE FUNCTION "search_label"("label" text) RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT ('''' || replace(replace(label, '\', '\\'), '''', '''''') || '''')::tsquery
$$;--> statement-breakpoint
CREATE FUNCTION "index_posts"("ids" bigint[]) RETURNS void LANGUAGE sql AS $$
	INSERT INTO "post_search" ("post_id", "vector")
	SELECT p.id,
		setweight(to_tsvector('simple', CASE WHEN p.id = p.thread_id THEN search_words(t.title) ELSE '' END), 'A')
		|| to_tsvector('simple', search_words(p.content))
		|| array_to_tsvector(array_remove(ARRAY[' b' || (p.id >> 12), ' c' || (p.id >> 16), ' g' || t.board_id, ' n' || search_fold(p.author),
			CASE WHEN p.image IS NOT NULL THEN ' i' END, to_char(p.created_at AT TIME ZONE 'UTC', '" y"YYYY'),
			to_char(p.created_at AT TIME ZONE 'UTC', '" m"YYYYMM'), to_char(p.created_at AT TIME ZONE 'UTC', '" d"YYYYMMDD')], NULL))
	FROM unnest(ids) AS given(id) JOIN "post" p ON p.id = given.id JOIN "thread" t ON t.id = p.thread_id
$$;--> statement-breakpoint
CREATE FUNCTION "index_new_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM index_posts(ARRAY(SELECT id FROM "inserted"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "unlabel_image"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "post_search" SET "vector" = ts_delete("vector", ' i') WHERE "post_id" = new.id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "index_new_posts" AFTER INSERT ON "post" REFERENCING NEW TABLE AS "inserted"
	FOR EACH STATEMENT EXECUTE FUNCTION "index_new_posts"();--> statement-breakpoint
CREATE TRIGGER "unlabel_image" AFTER UPDATE ON "post"
	FOR EACH ROW WHEN (old.image IS NOT NULL AND new.image IS NULL) EXECUTE FUNCTION "unlabel_image"();--> statement-breakpoint
SELECT "index_posts"(ARRAY(SELECT "id" FROM "post"));
