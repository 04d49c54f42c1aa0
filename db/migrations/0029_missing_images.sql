CREATE TABLE "missing_image" (
	"source" text NOT NULL,
	"number" bigint NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "missing_image_source_number_name_pk" PRIMARY KEY("source","number","name")
);
--> statement-breakpoint
ALTER TABLE "imported_thread" ADD COLUMN "opened_ms" bigint;--> statement-breakpoint
ALTER TABLE "missing_image" ADD CONSTRAINT "missing_image_source_imported_board_name_fk" FOREIGN KEY ("source") REFERENCES "public"."imported_board"("name") ON DELETE cascade ON UPDATE no action;