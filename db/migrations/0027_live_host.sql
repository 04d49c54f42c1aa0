CREATE TABLE "live_host" (
	"station_id" integer PRIMARY KEY NOT NULL,
	"process" text NOT NULL,
	"url" text NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL
);
