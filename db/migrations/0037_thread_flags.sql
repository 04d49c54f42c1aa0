ALTER TABLE "thread" ADD COLUMN "bumplocked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "cyclical" boolean DEFAULT false NOT NULL;