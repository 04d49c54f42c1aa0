CREATE TABLE "outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"target" text NOT NULL,
	"message" json NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "outbox_by_target" ON "outbox" USING btree ("target","id");--> statement-breakpoint
-- Receivers know calls by their ids, so calls that wait keep theirs, and new ones continue.
INSERT INTO "outbox" ("id", "target", "message", "attempts", "next_attempt_at")
	SELECT "id", "target" || '-webhook', "body"::json, "attempts", "next_attempt_at" FROM "webhook_delivery";--> statement-breakpoint
SELECT setval('outbox_id_seq', "last_value") FROM "webhook_delivery_id_seq";--> statement-breakpoint
INSERT INTO "outbox" ("target", "message", "next_attempt_at")
	SELECT 'moderators', json_build_object('kind', "kind", 'boardId', "board_id", 'count', "count"), "created_at"
	FROM "alert" WHERE "sent_at" IS NULL ORDER BY "id";--> statement-breakpoint
INSERT INTO "outbox" ("target", "message", "next_attempt_at")
	SELECT 'watchers', json_build_object('postId', "post_id"), "created_at" + interval '10 seconds' FROM "watch_alert" ORDER BY "created_at";--> statement-breakpoint
DROP TABLE "alert", "watch_alert", "webhook_delivery";--> statement-breakpoint
DELETE FROM "job" WHERE "name" IN ('alerts', 'watch-alerts', 'radio-webhooks');
