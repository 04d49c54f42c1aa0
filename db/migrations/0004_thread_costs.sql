DROP INDEX "quote_by_target";--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "byte_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "node_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "quote_by_target" ON "quote" USING btree ("to_id","from_id");--> statement-breakpoint
UPDATE "thread" SET "byte_count" = cost."bytes", "node_count" = cost."nodes" FROM (
	SELECT "thread_id",
		sum(octet_length(replace(replace(replace(replace(replace(replace("content" || "author" || "author", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#x27;'), '\', '\\\\'))
			+ 3 * octet_length("links"::text)) AS "bytes",
		sum(1 + (length("content") - length(replace("content", E'\n', '')))
			+ (length("content") - length(replace("content", '>>', ''))) / 2
			+ (length("content") - length(replace("content", '://', ''))) / 3
			+ 4 * (length("content") - length(replace("content", '[/spoiler]', ''))) / 10
			+ 4 * jsonb_array_length("links")) AS "nodes"
	FROM "post" GROUP BY "thread_id") AS cost
WHERE cost."thread_id" = "thread"."id";
