-- The plan that this function keeps is from when the tables were empty. Then all indexes of live posts cost the same, and the
-- view let PostgreSQL read a whole one of them for each post. The table has only its key for this lookup.
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
		CROSS JOIN LATERAL (SELECT id, thread_id, author, content, image, created_at, state FROM "post" WHERE "post".id = given.id OFFSET 0) p
		CROSS JOIN LATERAL (SELECT title, board_id FROM "thread" WHERE "thread".id = p.thread_id OFFSET 0) t
	WHERE p.state = 'live';
END $$;
