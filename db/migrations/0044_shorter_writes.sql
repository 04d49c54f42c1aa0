-- Most posts have no image, and were in the index all the same. The job that deletes expired challenges reads the table.
DROP INDEX "spent_captcha_by_expiry";--> statement-breakpoint
DROP INDEX "post_by_image";--> statement-breakpoint
CREATE UNIQUE INDEX "post_by_image" ON "post" USING btree ("image_id") WHERE "post"."image_id" is not null;--> statement-breakpoint
-- Creating it again would take minutes for a million posts.
ALTER INDEX "post_search_by_word" RESET (fastupdate);--> statement-breakpoint
ALTER INDEX "post_search_by_word" SET (gin_pending_list_limit = 64);
