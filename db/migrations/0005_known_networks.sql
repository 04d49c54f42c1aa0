CREATE TABLE "known_network" (
	"user_id" text NOT NULL,
	"network" text NOT NULL,
	"logged_in_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_network_user_id_network_pk" PRIMARY KEY("user_id","network")
);
--> statement-breakpoint
DROP TABLE "attempt" CASCADE;--> statement-breakpoint
ALTER TABLE "known_network" ADD CONSTRAINT "known_network_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;