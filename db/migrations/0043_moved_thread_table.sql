DROP INDEX "moved_thread";--> statement-breakpoint
CREATE TABLE "moved_thread" (
	"thread_id" bigint NOT NULL,
	"board_id" text NOT NULL,
	CONSTRAINT "moved_thread_thread_id_board_id_pk" PRIMARY KEY("thread_id","board_id")
);
--> statement-breakpoint
ALTER TABLE "moved_thread" ADD CONSTRAINT "moved_thread_thread_id_thread_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."thread"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread" DROP COLUMN "moved_from";