CREATE SEQUENCE "public"."post_number" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "board" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "moderator" (
	"board_id" text NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "moderator_board_id_user_id_pk" PRIMARY KEY("board_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "post" (
	"id" bigint PRIMARY KEY NOT NULL,
	"thread_id" bigint NOT NULL,
	"parent_id" bigint,
	"author" text NOT NULL,
	"content" text NOT NULL,
	"links" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"image_id" text,
	"image" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quote" (
	"from_id" bigint NOT NULL,
	"to_id" bigint NOT NULL,
	CONSTRAINT "quote_from_id_to_id_pk" PRIMARY KEY("from_id","to_id")
);
--> statement-breakpoint
CREATE TABLE "thread" (
	"id" bigint PRIMARY KEY NOT NULL,
	"board_id" text NOT NULL,
	"title" text NOT NULL,
	"last_activity" timestamp (3) with time zone NOT NULL,
	"comment_count" integer DEFAULT 0 NOT NULL,
	"reply_count" integer DEFAULT 0 NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "image_share" (
	"id" text PRIMARY KEY NOT NULL,
	"image_id" text NOT NULL,
	"image" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"delete_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paste" (
	"lookup" "bytea" PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"flags" smallint NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"delete_hash" "bytea" NOT NULL,
	"proof_hash" "bytea"
);
--> statement-breakpoint
CREATE TABLE "program" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"link" text NOT NULL,
	"description" text NOT NULL,
	"added_by" text NOT NULL,
	"category" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempt" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"retry_at" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"topic" text NOT NULL,
	"change" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job" (
	"name" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spent_captcha" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moderator" ADD CONSTRAINT "moderator_board_id_board_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."board"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moderator" ADD CONSTRAINT "moderator_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post" ADD CONSTRAINT "post_thread_id_thread_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."thread"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post" ADD CONSTRAINT "post_parent_id_post_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."post"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote" ADD CONSTRAINT "quote_from_id_post_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."post"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote" ADD CONSTRAINT "quote_to_id_post_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."post"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread" ADD CONSTRAINT "thread_board_id_board_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."board"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_by_thread" ON "post" USING btree ("thread_id","id");--> statement-breakpoint
CREATE INDEX "comment_by_thread" ON "post" USING btree ("thread_id","id" DESC NULLS FIRST) WHERE "post"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "post_by_parent" ON "post" USING btree ("parent_id") WHERE "post"."parent_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "post_by_image" ON "post" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "quote_by_target" ON "quote" USING btree ("to_id");--> statement-breakpoint
CREATE INDEX "thread_by_activity" ON "thread" USING btree ("board_id","last_activity" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "thread"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "image_share_by_image" ON "image_share" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "image_share_by_expiry" ON "image_share" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "paste_by_expiry" ON "paste" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "attempt_by_expiry" ON "attempt" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "event_by_topic" ON "event" USING btree ("topic","id");--> statement-breakpoint
CREATE INDEX "event_by_age" ON "event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "spent_captcha_by_expiry" ON "spent_captcha" USING btree ("expires_at");