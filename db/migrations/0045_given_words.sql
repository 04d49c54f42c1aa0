-- Imports store words themselves, and add those of a whole batch to the index at once. The short list of new words
-- (decision 46) is therefore a setting of the function that all others use, not of the index.
ALTER INDEX "post_search_by_word" RESET (gin_pending_list_limit);--> statement-breakpoint
-- Returns what the search stores of a post. The title is null unless the post opens its thread.
CREATE FUNCTION "search_vector"("id" bigint, "board_id" text, "title" text, "author" text, "words" tsvector, "has_image" boolean,
	"created_at" timestamptz) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
	SELECT coalesce(setweight(to_tsvector('simple', search_words(title)), 'A'), '') || words
		|| array_to_tsvector(array_remove(ARRAY[' b' || (id >> 12), ' c' || (id >> 16), ' g' || board_id, ' n' || search_fold(author),
			CASE WHEN has_image THEN ' i' END, to_char(created_at AT TIME ZONE 'UTC', '" y"YYYY'),
			to_char(created_at AT TIME ZONE 'UTC', '" m"YYYYMM'), to_char(created_at AT TIME ZONE 'UTC', '" d"YYYYMMDD')], NULL))
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "index_posts"("ids" bigint[]) RETURNS void LANGUAGE plpgsql
	SET plan_cache_mode = force_generic_plan SET gin_pending_list_limit = 64 AS $$
BEGIN
	INSERT INTO "post_search" ("post_id", "vector")
	SELECT p.id, search_vector(p.id, t.board_id, CASE WHEN p.id = p.thread_id THEN t.title END, p.author,
		to_tsvector('simple', search_words(p.content)), p.image IS NOT NULL, p.created_at)
	FROM unnest(ids) AS given(id)
		CROSS JOIN LATERAL (SELECT id, thread_id, author, content, image, created_at, state FROM "post" WHERE "post".id = given.id OFFSET 0) p
		CROSS JOIN LATERAL (SELECT title, board_id FROM "thread" WHERE "thread".id = p.thread_id OFFSET 0) t
	WHERE p.state = 'live' AND NOT EXISTS (SELECT FROM "post_search" WHERE "post_search".post_id = given.id);
END $$;
