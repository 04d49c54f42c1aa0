CREATE TABLE "broadcast" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"station_id" integer NOT NULL,
	"user_id" text,
	"streamer_name" text NOT NULL,
	"show_id" integer,
	"title" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"alive_at" timestamp (3) with time zone,
	"file" text,
	"type" text NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"seconds" double precision DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"thread_id" bigint,
	"peak_listeners" integer DEFAULT 0 NOT NULL,
	"start_announced_at" timestamp (3) with time zone,
	"end_announced_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "broadcast_track" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"broadcast_id" bigint NOT NULL,
	"seconds" double precision NOT NULL,
	"artist" text NOT NULL,
	"title" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listener_count" (
	"station_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"listeners" integer NOT NULL,
	CONSTRAINT "listener_count_station_id_at_pk" PRIMARY KEY("station_id","at")
);
--> statement-breakpoint
CREATE TABLE "show" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"image_id" text,
	"image" jsonb,
	"zone" text NOT NULL,
	"first_day" text NOT NULL,
	"start_time" text NOT NULL,
	"minutes" integer NOT NULL,
	"is_weekly" boolean NOT NULL,
	"last_day" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "song_request" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"station_id" integer NOT NULL,
	"track_id" bigint NOT NULL,
	"artist" text NOT NULL,
	"title" text NOT NULL,
	"seconds" double precision NOT NULL,
	"source" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"plays_at" timestamp (3) with time zone,
	"next_track_id" bigint,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "streamer" (
	"user_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"password_hash" "bytea" NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "streamer_password_hash_unique" UNIQUE("password_hash")
);
--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD COLUMN "target" text DEFAULT 'moderation' NOT NULL;--> statement-breakpoint
ALTER TABLE "broadcast" ADD CONSTRAINT "broadcast_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast" ADD CONSTRAINT "broadcast_show_id_show_id_fk" FOREIGN KEY ("show_id") REFERENCES "public"."show"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_track" ADD CONSTRAINT "broadcast_track_broadcast_id_broadcast_id_fk" FOREIGN KEY ("broadcast_id") REFERENCES "public"."broadcast"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "show" ADD CONSTRAINT "show_user_id_streamer_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."streamer"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "streamer" ADD CONSTRAINT "streamer_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "broadcast_by_start" ON "broadcast" USING btree ("started_at","id");--> statement-breakpoint
CREATE INDEX "broadcast_by_name" ON "broadcast" USING btree ("streamer_name","started_at");--> statement-breakpoint
CREATE INDEX "broadcast_by_thread" ON "broadcast" USING btree ("thread_id") WHERE "broadcast"."thread_id" is not null;--> statement-breakpoint
CREATE INDEX "broadcast_running" ON "broadcast" USING btree ("id") WHERE "broadcast"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "broadcast_track_by_broadcast" ON "broadcast_track" USING btree ("broadcast_id","seconds");--> statement-breakpoint
CREATE INDEX "show_by_user" ON "show" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "song_request_by_age" ON "song_request" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "song_request_by_track" ON "song_request" USING btree ("track_id","requested_at");--> statement-breakpoint
CREATE INDEX "song_request_by_play" ON "song_request" USING btree ("plays_at");--> statement-breakpoint
CREATE INDEX "song_request_waiting" ON "song_request" USING btree ("id") WHERE "song_request"."outcome" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "streamer_by_name" ON "streamer" USING btree (lower("name"));