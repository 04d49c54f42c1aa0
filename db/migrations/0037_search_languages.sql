-- Tells C, C++ and C# apart, also F# and .NET: the signs become letters, like in `spellLanguage` of
-- src/contract/searchQuery.ts. A character before the name that is no letter or digit, or none, keeps example.net apart.
CREATE OR REPLACE FUNCTION "search_words"("value" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(search_fold(value),
		'(?<![a-z0-9])([a-z])\+\+', ' \1plusplus ', 'g'),
		'(?<![a-z0-9])([a-z])#', ' \1sharp ', 'g'),
		'(?<![a-z0-9])\.net(?![a-z])', ' dotnet ', 'g'),
		'[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u2bff\u2e00-\u3004\u3008-\u3020\u3030-\u303f\u30fb\ufe00-\ufe6f\U0001f000-\U0001faff]+', ' ', 'g'),
		'([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])', ' \1 ', 'g')
$$;--> statement-breakpoint
-- Only posts with such a name have other words now. All live posts are indexed, so the missing ones are these.
DELETE FROM "post_search" USING "post" p, "thread" t
	WHERE p.id = "post_search"."post_id" AND t.id = p.thread_id
	AND (p.content ~* '(^|[^a-z0-9])([a-z](\+\+|#)|\.net)' OR (p.id = t.id AND t.title ~* '(^|[^a-z0-9])([a-z](\+\+|#)|\.net)'));--> statement-breakpoint
SELECT "index_posts"(ARRAY(SELECT p.id FROM "live_post" p WHERE NOT EXISTS (SELECT FROM "post_search" s WHERE s.post_id = p.id)));
