CREATE TABLE "alert" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"board_id" text,
	"count" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "push_subscription" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "push_subscription_endpoint_unique" UNIQUE("endpoint")
);
--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blocked_image" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"upload_hash" "bytea",
	"original_hash" "bytea" NOT NULL,
	"variants" "bytea",
	"reason" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"log_id" bigint
);
--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_board_id_board_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."board"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscription" ADD CONSTRAINT "push_subscription_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocked_image" ADD CONSTRAINT "blocked_image_log_id_moderation_log_id_fk" FOREIGN KEY ("log_id") REFERENCES "public"."moderation_log"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_by_board" ON "alert" USING btree ("board_id");--> statement-breakpoint
CREATE INDEX "alert_by_sending" ON "alert" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "push_subscription_by_user" ON "push_subscription" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_by_attempt" ON "webhook_delivery" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE UNIQUE INDEX "blocked_image_by_original" ON "blocked_image" USING btree ("original_hash");--> statement-breakpoint
CREATE INDEX "blocked_image_by_log" ON "blocked_image" USING btree ("log_id");