CREATE TABLE "attempt" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"item_id" bigint
);
