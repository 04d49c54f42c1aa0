-- PostgreSQL planned this function again for each post, because it expects more rows of an array whose length it does not
-- know: that took longer than the rest of the statement that stores a post. The plan that it keeps may be from when the tables
-- were empty, so `OFFSET 0` makes it look up each row instead of reading all posts.
CREATE OR REPLACE FUNCTION "index_posts"("ids" bigint[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
	INSERT INTO "post_search" ("post_id", "vector")
	SELECT p.id,
		setweight(to_tsvector('simple', CASE WHEN p.id = p.thread_id THEN search_words(t.title) ELSE '' END), 'A')
		|| to_tsvector('simple', search_words(p.content))
		|| array_to_tsvector(array_remove(ARRAY[' b' || (p.id >> 12), ' c' || (p.id >> 16), ' g' || t.board_id, ' n' || search_fold(p.author),
			CASE WHEN p.image IS NOT NULL THEN ' i' END, to_char(p.created_at AT TIME ZONE 'UTC', '" y"YYYY'),
			to_char(p.created_at AT TIME ZONE 'UTC', '" m"YYYYMM'), to_char(p.created_at AT TIME ZONE 'UTC', '" d"YYYYMMDD')], NULL))
	FROM unnest(ids) AS given(id)
		CROSS JOIN LATERAL (SELECT id, thread_id, author, content, image, created_at FROM "live_post" WHERE "live_post".id = given.id OFFSET 0) p
		CROSS JOIN LATERAL (SELECT title, board_id FROM "thread" WHERE "thread".id = p.thread_id OFFSET 0) t;
END $$;
