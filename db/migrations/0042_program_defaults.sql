ALTER TABLE "program" ALTER COLUMN "name" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "program" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "program" ALTER COLUMN "description" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "program" ALTER COLUMN "added_by" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "program" ALTER COLUMN "category" SET DEFAULT '';