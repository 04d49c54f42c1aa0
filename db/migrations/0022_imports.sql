CREATE TABLE "imported_board" (
	"name" text PRIMARY KEY NOT NULL,
	"board_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "imported_range" (
	"source" text NOT NULL,
	"first" bigint NOT NULL,
	"last" bigint NOT NULL,
	"shift" bigint NOT NULL,
	CONSTRAINT "imported_range_source_first_pk" PRIMARY KEY("source","first")
);
--> statement-breakpoint
CREATE TABLE "imported_thread" (
	"source" text NOT NULL,
	"number" bigint NOT NULL,
	"newest" bigint NOT NULL,
	CONSTRAINT "imported_thread_source_number_pk" PRIMARY KEY("source","number")
);
--> statement-breakpoint
ALTER TABLE "imported_board" ADD CONSTRAINT "imported_board_board_id_board_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."board"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_range" ADD CONSTRAINT "imported_range_source_imported_board_name_fk" FOREIGN KEY ("source") REFERENCES "public"."imported_board"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_thread" ADD CONSTRAINT "imported_thread_source_imported_board_name_fk" FOREIGN KEY ("source") REFERENCES "public"."imported_board"("name") ON DELETE cascade ON UPDATE no action;