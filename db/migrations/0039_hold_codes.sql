UPDATE "post" SET "held_for" = case "held_for"
	when 'All new posts are held' then 'switch'
	when 'No proof of work' then 'unsolved'
	when 'Raid: resembles other posts' then 'repeated'
	when 'Raid: unknown network' then 'raid'
	when 'looks like a blocked image' then 'image'
	else regexp_replace("held_for", '^Filter No\. (\d+): ', 'filter \1: ')
end WHERE "held_for" IS NOT NULL;--> statement-breakpoint
UPDATE "moderation_log" SET "reason" = case "reason"
	when 'Deleted on the old site' then 'gone'
	else 'raid'
end WHERE "role" = 'site' AND "reason" IN ('Deleted on the old site', 'Posts of a raid wait for a review');
