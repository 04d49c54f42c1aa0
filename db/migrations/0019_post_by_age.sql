DROP INDEX "post_by_time";--> statement-breakpoint
CREATE INDEX "post_by_age" ON "post" USING btree ("created_at","thread_id");