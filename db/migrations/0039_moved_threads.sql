ALTER TABLE "thread" ADD COLUMN "moved_from" jsonb;--> statement-breakpoint
CREATE INDEX "moved_thread" ON "thread" USING btree ("id") WHERE "thread"."moved_from" is not null;