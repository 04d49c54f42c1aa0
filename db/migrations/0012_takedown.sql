CREATE TABLE "takedown" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
