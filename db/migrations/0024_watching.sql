CREATE TABLE "watch_alert" (
	"post_id" bigint PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watched_post" (
	"watcher_id" integer NOT NULL,
	"post_id" bigint NOT NULL,
	CONSTRAINT "watched_post_watcher_id_post_id_pk" PRIMARY KEY("watcher_id","post_id")
);
--> statement-breakpoint
CREATE TABLE "watched_thread" (
	"watcher_id" integer NOT NULL,
	"thread_id" bigint NOT NULL,
	"is_watched" boolean NOT NULL,
	"read_id" bigint NOT NULL,
	"alerted_id" bigint,
	"alerted_at" timestamp (3) with time zone,
	CONSTRAINT "watched_thread_watcher_id_thread_id_pk" PRIMARY KEY("watcher_id","thread_id")
);
--> statement-breakpoint
CREATE TABLE "watcher" (
	"id" serial PRIMARY KEY NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"renewed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "watcher_endpoint_unique" UNIQUE("endpoint")
);
--> statement-breakpoint
ALTER TABLE "watched_post" ADD CONSTRAINT "watched_post_watcher_id_watcher_id_fk" FOREIGN KEY ("watcher_id") REFERENCES "public"."watcher"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watched_thread" ADD CONSTRAINT "watched_thread_watcher_id_watcher_id_fk" FOREIGN KEY ("watcher_id") REFERENCES "public"."watcher"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "watch_alert_by_age" ON "watch_alert" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "watched_post_by_post" ON "watched_post" USING btree ("post_id");--> statement-breakpoint
CREATE INDEX "watched_thread_by_thread" ON "watched_thread" USING btree ("thread_id");--> statement-breakpoint
CREATE INDEX "watcher_by_renewal" ON "watcher" USING btree ("renewed_at");