CREATE TABLE "imported_image" (
	"source" text NOT NULL,
	"number" bigint NOT NULL,
	"name" text NOT NULL,
	"place" integer NOT NULL,
	CONSTRAINT "imported_image_source_number_name_pk" PRIMARY KEY("source","number","name")
);
--> statement-breakpoint
ALTER TABLE "imported_image" ADD CONSTRAINT "imported_image_source_imported_board_name_fk" FOREIGN KEY ("source") REFERENCES "public"."imported_board"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imported_image_by_name" ON "imported_image" USING btree ("name");