CREATE TABLE "ban" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"epoch_id" integer NOT NULL,
	"hash" "bytea" NOT NULL,
	"width" text NOT NULL,
	"board_id" text,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"created_by" text,
	"appeal" text,
	"appealed_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "filter" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"fields" jsonb NOT NULL,
	"effect" text NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text
);
--> statement-breakpoint
CREATE TABLE "moderation_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"action" text NOT NULL,
	"actor_id" text,
	"role" text NOT NULL,
	"board_id" text,
	"thread_id" bigint,
	"item_id" text,
	"count" integer DEFAULT 1 NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "origin" (
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"epoch_id" integer NOT NULL,
	"host" "bytea" NOT NULL,
	"range" "bytea" NOT NULL,
	CONSTRAINT "origin_kind_item_id_pk" PRIMARY KEY("kind","item_id")
);
--> statement-breakpoint
CREATE TABLE "origin_epoch" (
	"id" serial PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "removed_quote" (
	"from_id" bigint NOT NULL,
	"to_id" bigint NOT NULL,
	CONSTRAINT "removed_quote_from_id_to_id_pk" PRIMARY KEY("from_id","to_id")
);
--> statement-breakpoint
CREATE TABLE "report" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"board_id" text,
	"reason" text NOT NULL,
	"text" text NOT NULL,
	"sealed_url" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" text,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "site_switch" (
	"name" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "withheld_post" (
	"id" bigint PRIMARY KEY NOT NULL,
	"board_id" text NOT NULL,
	"thread_id" bigint NOT NULL,
	"parent_id" bigint,
	"title" text,
	"author" text NOT NULL,
	"content" text NOT NULL,
	"links" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"image_id" text,
	"image" jsonb,
	"spoiler" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"withheld_at" timestamp (3) with time zone NOT NULL,
	"log_id" bigint,
	"held_for" text,
	"release_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "board" ADD COLUMN "rules" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "board" ADD COLUMN "position" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "spoiler" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "locked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "thread" ADD COLUMN "pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ban" ADD CONSTRAINT "ban_epoch_id_origin_epoch_id_fk" FOREIGN KEY ("epoch_id") REFERENCES "public"."origin_epoch"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ban" ADD CONSTRAINT "ban_board_id_board_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."board"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ban" ADD CONSTRAINT "ban_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filter" ADD CONSTRAINT "filter_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moderation_log" ADD CONSTRAINT "moderation_log_actor_id_user_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moderation_log" ADD CONSTRAINT "moderation_log_board_id_board_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."board"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "origin" ADD CONSTRAINT "origin_epoch_id_origin_epoch_id_fk" FOREIGN KEY ("epoch_id") REFERENCES "public"."origin_epoch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report" ADD CONSTRAINT "report_board_id_board_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."board"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report" ADD CONSTRAINT "report_closed_by_user_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withheld_post" ADD CONSTRAINT "withheld_post_board_id_board_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."board"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withheld_post" ADD CONSTRAINT "withheld_post_log_id_moderation_log_id_fk" FOREIGN KEY ("log_id") REFERENCES "public"."moderation_log"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ban_by_hash" ON "ban" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "ban_by_end" ON "ban" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "moderation_log_by_board" ON "moderation_log" USING btree ("board_id","id");--> statement-breakpoint
CREATE INDEX "origin_by_host" ON "origin" USING btree ("host");--> statement-breakpoint
CREATE INDEX "origin_by_range" ON "origin" USING btree ("range");--> statement-breakpoint
CREATE INDEX "removed_quote_by_target" ON "removed_quote" USING btree ("to_id");--> statement-breakpoint
CREATE INDEX "open_report" ON "report" USING btree ("id") WHERE "report"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "report_by_item" ON "report" USING btree ("kind","item_id");--> statement-breakpoint
CREATE INDEX "withheld_post_by_thread" ON "withheld_post" USING btree ("thread_id");--> statement-breakpoint
CREATE INDEX "withheld_post_by_log" ON "withheld_post" USING btree ("log_id");--> statement-breakpoint
CREATE INDEX "withheld_post_by_image" ON "withheld_post" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "held_post" ON "withheld_post" USING btree ("id") WHERE "withheld_post"."held_for" is not null;--> statement-breakpoint
CREATE INDEX "held_post_by_release" ON "withheld_post" USING btree ("release_at") WHERE "withheld_post"."release_at" is not null;--> statement-breakpoint
CREATE INDEX "pinned_thread" ON "thread" USING btree ("board_id") WHERE "thread"."pinned";