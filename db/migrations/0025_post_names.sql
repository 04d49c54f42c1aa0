CREATE TABLE "poster_label_key" (
	"epoch_id" integer PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "board" ADD COLUMN "poster_labels" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "sage" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "tripcode" text;--> statement-breakpoint
ALTER TABLE "post" ADD COLUMN "poster_label" text;--> statement-breakpoint
ALTER TABLE "withheld_post" ADD COLUMN "sage" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "withheld_post" ADD COLUMN "tripcode" text;--> statement-breakpoint
ALTER TABLE "withheld_post" ADD COLUMN "poster_label" text;--> statement-breakpoint
ALTER TABLE "poster_label_key" ADD CONSTRAINT "poster_label_key_epoch_id_origin_epoch_id_fk" FOREIGN KEY ("epoch_id") REFERENCES "public"."origin_epoch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Statistics would contain the keys (as in no_hash_statistics).
ALTER TABLE "poster_label_key" ALTER COLUMN "key" SET STATISTICS 0;
