-- ANALYZE keeps samples of columns, which would outlive deleted hashes of networks. A change of the type, even to the
-- same type, deletes existing samples.
ALTER TABLE "allowance" ALTER COLUMN "key" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "allowance" ALTER COLUMN "key" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "origin" ALTER COLUMN "host" SET DATA TYPE bytea;--> statement-breakpoint
ALTER TABLE "origin" ALTER COLUMN "host" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "origin" ALTER COLUMN "range" SET DATA TYPE bytea;--> statement-breakpoint
ALTER TABLE "origin" ALTER COLUMN "range" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "origin_epoch" ALTER COLUMN "key" SET DATA TYPE bytea;--> statement-breakpoint
ALTER TABLE "origin_epoch" ALTER COLUMN "key" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "ban" ALTER COLUMN "hash" SET DATA TYPE bytea;--> statement-breakpoint
ALTER TABLE "ban" ALTER COLUMN "hash" SET STATISTICS 0;
