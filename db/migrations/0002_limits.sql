CREATE TABLE "allowance" (
	"key" text PRIMARY KEY NOT NULL,
	"full_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "allowance_by_time" ON "allowance" USING btree ("full_at");