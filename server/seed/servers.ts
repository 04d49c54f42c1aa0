import type { Topic } from './topic.ts'

const selfHosting: Topic = {
  boards: ['random'],
  slots: {
    service: ['mail', 'a photo library', 'a calendar', 'a git forge', 'an RSS reader', 'a music server', 'a wiki'],
    host: ['an old thin client', 'a Pi 4', 'a rented VPS', 'a mini PC', 'a laptop with a broken screen'],
  },
  threads: [
    [
      'Hosting {service} at home, one year later',
      'It runs on {host}. Two outages, both mine, and I would do it again.',
    ],
    ['Is {host} enough for {service}?', 'Four users, all of them family, all of them merciless when it is down.'],
    [
      'Backups: tell me how you restore',
      'Everybody shows how they make them. I would like to hear about the last time you needed one.',
    ],
    [
      'What I stopped hosting myself, and why',
      'I gave up on {service} last month and sleep better. No shame in it, I think.',
    ],
    ['Reverse proxies: the boring choice?', 'I have used three in as many years. I would like to use one for ten.'],
    [
      'Moving {service} without anybody noticing',
      'New machine is ready, old one is full. The plan has eleven steps and I trust about seven of them.',
    ],
    [
      'No containers: who else?',
      'Packages from the distribution, one user per service, unit files. It updates itself and I understand it.',
    ],
    [
      'Monitoring that does not need monitoring',
      'I want one mail when {service} is down and silence otherwise. Everything I look at wants to be a cockpit.',
    ],
    [
      "Dynamic address, no port 25, landlord's router",
      'The classic. I would still like to run {service} from here, what are the ways round?',
    ],
    [
      'The week my disk died',
      'Friday, smell of nothing, click click. Here is what the restore of {service} was really like.',
    ],
    [
      'Documentation for the one who comes after me',
      'If I am hit by a bus somebody has to find the photos. I have begun a folder.',
    ],
    ['What is the oldest thing on {host}', 'Uptime aside: a config file from 2009 that has moved house six times.'],
  ],
  details: [
    'It is {host} in a cupboard, with a small UPS.',
    'Upload is 40 Mbit, which has been plenty.',
    'I would like to spend an hour a month on it, not more.',
    'Everything is in one git repository, secrets apart.',
    'The family does not know that it is not "the internet".',
  ],
  questions: [
    [
      'Do you restart services after library updates or just the whole machine?',
      'The whole machine, Sunday at four. It also tests that it comes back.',
      'needrestart tells me which ones, I do those.',
    ],
    [
      'What is the least annoying way to get certificates for names inside the house?',
      'A real domain, a wildcard through the DNS challenge, and names that only resolve at home.',
      'Own CA, installed once on each device. Fine until the first guest.',
    ],
    [
      "How many backups are enough if one of them is at a friend's?",
      "Two there, one here. The one at the friend's is the one that counts.",
      'Three in all, and one of them must not be writable from your machine.',
    ],
    [
      'Does anybody still run a local DNS cache, and is it worth it?',
      'Yes, unbound, for six years. It is faster in the evening and that is all I ask.',
      'I do, mainly for the names of my own machines.',
    ],
    [
      'How do you notice that a cron job has silently stopped?',
      'The job pings a URL at its end, and something else complains when the ping is missing.',
      'It writes a file with the date. A second job mails me if the file is older than two days.',
    ],
    [
      'What do you use to keep passwords of services out of the git repository?',
      'age-encrypted files in the same repository. The key is on paper in a drawer.',
      'They are in files only root can read, and the repository has an example file with the names.',
    ],
    [
      'Is a VPN to the house enough, or do you put a login in front as well?',
      'I do both. The VPN for strangers, the login for the day a phone gets lost.',
      'For four people: VPN and nothing else. It has been fine.',
    ],
  ],
  comments: [
    'A backup you have not restored is a wish. Do one on a rainy Sunday and write down how long it took.',
    'Unattended upgrades, a reboot on Sunday at four, and in five years two surprises.',
    'Put the address of the thing on a note at the fridge. That is the whole documentation my family reads.',
    'Tunnel from a small rented machine to the house. Costs less than a coffee and no port is open here.',
    'The disk will fill up before anything else breaks. Watch the disk.',
    'I went back to plain packages as well. Fewer layers, and the logs are where they always were.',
    'Test the mail when it is down, not only the thing that sends the mail.',
    'Lower the TTL two days before you move anything. Past me forgot, present me remembers.',
    "restic to a friend's box, and his to mine. We test each other's restores once a year over beer.",
    'One machine per important service and one for toys. The toys are what breaks.',
    'Give it less. Half of what people run needs a tenth of the memory they give it.',
    'Mine has been up for 400 days and that scares me. It should be able to go down.',
    'Keep the hostname for life and change the machine under it.',
    'What helped was writing down what I would do if the house burned. It took an hour and changed three things.',
    'Static site in front, service behind it. When the service is down there is at least a page that says so.',
  ],
  links: ['https://restic.net/', 'https://caddyserver.com/docs/', 'https://example.org/selfhost/checklist'],
  pictures: ['terminal', 'flame'],
}

const postgres: Topic = {
  boards: ['random'],
  slots: {
    size: ['3 million', '40 million', '800,000', '250 million', '12 million'],
    thing: ['sensor readings', 'log lines', 'bookmarks', 'chat messages', 'invoices'],
  },
  threads: [
    [
      'Query on {size} rows was fast until yesterday',
      'Same query, same data but for a few thousand {thing}. The plan has changed from an index scan to a sequential one.',
    ],
    [
      'Do I need partitions for {size} {thing}?',
      'They come in at night and are read by day, mostly the last month. Deleting the old ones takes for ever.',
    ],
    [
      'EXPLAIN reading club',
      'Post a plan you do not understand, and somebody will. I begin with a nested loop over {size} {thing}.',
    ],
    [
      'Postgres as a queue: where is the limit?',
      'SKIP LOCKED, one table, four workers, {thing}. It is embarrassingly good so far.',
    ],
    [
      'JSONB, five years on: regrets?',
      'We put everything that might change into one column. Guess what never changed.',
    ],
    [
      'Migrations without downtime on a table of {size}',
      'Adding the column is instant. It is the NOT NULL that keeps me awake.',
    ],
    [
      'Which settings do you always change?',
      'Fresh install, 16 GB, NVMe. I change four values and would like to know if they are the same four.',
    ],
    [
      'Full text search: good enough?',
      '{size} {thing}, mostly English, some German. I would rather not run a second system for it.',
    ],
    [
      'Upgrading across three major versions',
      'The plan is dump and restore over a weekend. {size} rows, so it should fit.',
    ],
    [
      'Row level security in a small project',
      'Wrote the policies in an evening. Testing them takes longer than testing the code.',
    ],
    [
      'Generated columns: nice or trap?',
      'I put three on a table of {size} and the inserts got slower than I had thought.',
    ],
    ['One database or one per customer', 'Eleven customers, {thing} for each. Both ways look stupid from some angle.'],
  ],
  details: [
    'About {size} rows of {thing}, nothing exotic.',
    'Version 17, default settings but for shared_buffers.',
    'The plan is in a paste, with buffers.',
    'Statistics are fresh, I ran ANALYZE by hand.',
    'It is a hobby project, so downtime is allowed and pride is not.',
  ],
  questions: [
    [
      'Is a BRIN index any use if rows sometimes arrive late?',
      'A few late rows are fine, they only widen a range or two. Thousands spoil it.',
      'Use the minmax_multi operator class, it was made for that.',
    ],
    [
      'timestamp or timestamptz if everything is UTC anyway?',
      'timestamptz. It stores the same eight bytes and saves you from the next driver.',
      'with time zone. "Everything is UTC" lasts until somebody opens a console.',
    ],
    [
      'How do I see which index nobody has used for a month?',
      'pg_stat_user_indexes, idx_scan. Note the numbers today and look again in a month.',
      'The statistics view has last_idx_scan in the newer versions. That is your answer in one column.',
    ],
    [
      'Does VACUUM ever give the space back to the disk?',
      "Only when the pages at the end of the table are empty. Otherwise VACUUM FULL, or pg_repack if you can't stop.",
      'Mostly no. It gives the space back to the table, which is what you want anyway.',
    ],
    [
      'What is a polite statement_timeout for a small web site?',
      'Five seconds for pages, none for the migrations. Set it on the role.',
      'I have 15. Whoever waited for longer has left.',
    ],
    [
      'uuid or bigint for the key, if nobody outside sees it?',
      'bigint. Half the size, and you can say it on the phone.',
      'bigint inside, and a random token in its own column once something gets public.',
    ],
  ],
  comments: [
    'Run it with ANALYZE and BUFFERS. Without the buffers we are all reading tea leaves.',
    'Raise the statistics target for that one column and analyse again. The planner believes what it is told.',
    'A partial index over the rows you really ask for. Ours is two hundred times smaller than the full one.',
    'Rows removed by filter is the number to look at. It is nearly always that number.',
    'random_page_cost is still set for spinning disks. On NVMe put it near 1.1 and look at your plans again.',
    'Keyset instead of OFFSET. It is a little more to write and never gets slow.',
    'Partition when deleting hurts, not before. Dropping a partition is the whole benefit.',
    'Add the constraint as NOT VALID, validate it later. Locks are short that way.',
    'We ran the queue like this for three years. What broke was autovacuum, not the queue: tune it for that table.',
    'timestamptz. Always. You will thank yourself on a Sunday in March.',
    'Everything that is in a WHERE wants to be a column. The rest may live in the JSON.',
    'Set lock_timeout in every migration. Better a failed migration than a queue of everybody behind it.',
    'pg_stat_statements first, opinions later.',
    "Dump with the new version's pg_dump, not the old one's. And use the directory format with some jobs.",
    'Check how long your longest transaction is open. Somebody left a console with BEGIN in it, I would bet.',
  ],
  links: [
    'https://www.postgresql.org/docs/current/using-explain.html',
    'https://wiki.postgresql.org/wiki/Slow_Query_Questions',
    'https://use-the-index-luke.com/',
  ],
  pictures: ['flame', 'terminal'],
}

const homelab: Topic = {
  boards: ['hardware'],
  slots: {
    box: ['the rack server', 'the switch', 'the NAS', 'the UPS', 'the mini PC stack'],
    watts: ['38 W', '62 W', '110 W', '17 W', '240 W'],
    place: ['the hallway', 'the cupboard', 'the attic', 'the laundry room', 'the cellar'],
  },
  threads: [
    [
      '{box} in {place}: noise diary',
      'Measured it over a week. The average is fine, it is the one fan at three in the morning.',
    ],
    ['Down to {watts} at the wall', 'Took out a card, two disks and my pride. What is the next thing to go?'],
    [
      'Swapping fans in {box}',
      'The quiet ones report a lower speed, so the firmware thinks they are dying and runs everything at full.',
    ],
    ['Cable pictures, honest edition', 'Not the ones for guests. Mine from {place}, with a shoe box.'],
    [
      'Summer: what do you switch off?',
      '{place} reached 34 degrees last July. The disks did not say anything, but I saw their faces.',
    ],
    [
      'Used enterprise gear: still a good idea?',
      'It was cheap when power was cheap. I did the sum for {box} at {watts} and had to sit down.',
    ],
    [
      'Spin down the disks or let them run?',
      'Every forum has a priest of either church. I would like numbers from people with old disks.',
    ],
    ['10 gigabit at home, was it worth it?', 'Two machines, one cable. It is very fast between {place} and itself.'],
    [
      'The smallest homelab',
      'One fanless box, {watts}, does everything I had in a rack five years ago. Show me smaller.',
    ],
    ['Labels, lists, maps: who documents the rack', 'I drew {place} on squared paper. It is right for today.'],
    ['UPS batteries: when do you change them', '{box} hangs on one that says 100 percent and lasts four minutes.'],
    ['Heat from {box}, used for something', 'Tomato seedlings, bread dough, drying boots. What is on yours?'],
  ],
  details: [
    'It stands in {place}, so I hear every fan.',
    'Meter at the wall says {watts} idle.',
    'Budget is whatever the old disks bring.',
    'The others in the flat have been patient so far.',
    'Temperatures are logged every minute, graphs on request.',
  ],
  questions: [
    [
      'Rubber feet or foam under a NAS: does either really help?',
      'Foam did nothing here. Rubber feet on a stone tile did a lot.',
      'A heavy tile under it, and under the tile a bit of an old yoga mat.',
    ],
    [
      'Is there a power meter that logs over the local network and nothing else?',
      'The smart sockets with replaced firmware. MQTT, local, eight euro.',
      'The ones with Tasmota on them. Mine log every ten seconds and speak to nobody else.',
    ],
    [
      'How warm may a spinning disk get before I should care?',
      'Up to 45 I sleep well, at 50 I buy a fan.',
      'Changes are worse than warmth. Mine have been at a steady 42 for years.',
    ],
    [
      'Do cheap SFP modules from the auction site work in every switch?',
      'Not in every one. Ask for the coding of your brand, sellers do it for free.',
      'They do in mine, after one command that allows foreign modules.',
    ],
    [
      'Which BIOS setting was it that keeps the processor out of deep idle?',
      'Package C-state limit. Set it to auto or the deepest, then look at ASPM.',
      'Check for "enhanced halt" and for anything called global C-state. Each vendor has its own poetry.',
    ],
    [
      'How do you label cables so that it is still readable in five years?',
      'Printed flags, black on white, and clear heat shrink over it.',
      'Numbers only, on both ends, and a list. The list you can correct.',
    ],
  ],
  comments: [
    'Check the C-states first. One bad card keeps the whole machine awake, and it is usually the network card.',
    'Put the disks on elastic bands. It looks ridiculous and it is silent.',
    'A 120 mm fan at 600 turns behind a cardboard duct. Function over form.',
    'I sold the rack and bought one small machine. I miss the lights, not the noise.',
    'It is the power supply. A big one at five percent load wastes more than the disks take.',
    'Close the door and drill a hole for air at the bottom and one at the top. Physics does the rest.',
    'Mine spin down after an hour and have done so for eight years. Two of six died, the same as before.',
    'Most of the fan firmware can be told a lower limit over IPMI. It is two raw commands, and different on every board.',
    'Write the watts next to what the machine does. Some of mine could not look me in the eye.',
    'In summer the big one sleeps from ten to six. Nobody has noticed.',
    'The acoustic foam did nothing but collect dust. A heavier shelf did a lot.',
    'Look at the hum, not only at the fans. A loose screw at the case was half of mine.',
    'Show the back as well. We are all friends here.',
    'If it is cold in winter it is a heater with a database. I count it as heating.',
    'Go for the managed switch without a fan. Fewer ports, but you can sit next to it.',
  ],
  links: [
    'https://example.org/homelab/quiet',
    'https://en.wikipedia.org/wiki/80_Plus',
    'https://wiki.archlinux.org/title/Power_management',
  ],
  pictures: ['flame', 'terminal', 'waveform'],
}

const staticSites: Topic = {
  boards: ['random'],
  slots: {
    generator: ['Hugo', 'a Makefile', 'Eleventy', 'forty lines of shell', 'Zola', 'pandoc'],
    thing: ['search', 'comments', 'a dark theme', 'feeds', 'image sizes'],
  },
  threads: [
    [
      'My whole site is {generator} now',
      'It builds in under a second, and I can read all of it. Not one thing moves on the page.',
    ],
    [
      'How do you do {thing} on a static site?',
      'I have managed without it for years, and now a reader has asked nicely.',
    ],
    ['Show your small sites', 'Under 20 kB for the front page, no script. Mine is about bread and serial ports.'],
    [
      'Leaving {generator} after six years',
      'It still works. It is just that every update wants me to rename a folder.',
    ],
    [
      'RSS: full text or excerpt?',
      'I always hated excerpts as a reader, and now I understand the people who write them.',
    ],
    ['Hand-written HTML in 2026', 'No build step, one stylesheet, a template I copy. I have never published so much.'],
    [
      'Fonts: ship one or trust the system?',
      'One file, 28 kB, latin only. It looks so much better, and I feel a little dirty.',
    ],
    [
      'A page about everything you own that runs code',
      'I started such a list on my site, written for {generator}. It got long and rather frightening.',
    ],
    [
      'Printing stylesheets, the forgotten art',
      'Twenty lines, and somebody wrote that she printed the whole thing for the train.',
    ],
    ['How old is your oldest page', 'Mine is from 2006, has a frame, and gets more mail than the rest.'],
    [
      'Alt texts: how do you write them',
      'I describe what matters and stop. Sometimes the text is better than the picture.',
    ],
    [
      'Building on the phone, with {generator}',
      'Sat in a train without a laptop and published anyway. It was slower than my first site by modem.',
    ],
  ],
  details: [
    'It is built with {generator} and lies on a tiny server.',
    'No analytics, so I have no idea if anybody reads it.',
    'The source is public, mistakes included.',
    'Phones first, since that is where my mother reads it.',
    'I write in plain text and would like to keep it that way.',
  ],
  questions: [
    [
      'Is there any point in a sitemap for thirty pages?',
      'For thirty pages linked from one list: no. But it is four lines in the template.',
      'Not for finding. I use mine to check that nothing has vanished.',
    ],
    [
      'How do you keep old links alive after moving everything?',
      'A file of redirects that only grows. Mine has 212 lines and I am fond of each.',
      'Never move anything. Second best: a page that says where it went.',
    ],
    [
      'What is a kind width for a column of text?',
      'Around 65 characters. max-width: 34em and you are near it.',
      'Whatever two lines of a paperback are. People have tested that for centuries.',
    ],
    [
      'Do you put dates into the addresses of posts?',
      'The year and nothing else. It sorts itself and never lies.',
      'No. I rewrite old posts, and then the date would be a fib.',
    ],
    [
      'Can a feed have pictures without annoying anybody?',
      'Yes, if they have sizes and the text makes sense without them.',
      'Small ones, with absolute addresses. And an alt text, feed readers show it.',
    ],
    [
      'How do I find dead links without crawling half the web?',
      'lychee over the built folder, external links once a month only.',
      'I have a list of all outgoing links made at build time and ask for each with HEAD, slowly, on Sundays.',
    ],
  ],
  comments: [
    'Full text in the feed. Who wants my words may have them.',
    'I generate an index as JSON and search it with thirty lines of script. Nobody needs more for a small site.',
    'Comments are a mail link at the end of each post. I get two a month and all of them are good.',
    'Keep the addresses for ever. Everything else may change.',
    'A Makefile and pandoc since 2014. It has survived four laptops.',
    'System fonts. The reader has chosen them, who am I to argue.',
    'Width of 65 characters, line height of 1.5, and stop there. It is done.',
    'Publish first, tidy up later. Mine was "nearly ready" for two years.',
    'The lightest page is the one you write by hand. It is also the one you finish.',
    'Give every picture a width and a height, then nothing jumps. That is my whole performance advice.',
    'Put a colophon on it. I always read those first.',
    'prefers-color-scheme and eight variables. It took longer to choose the colours than to write it.',
    'I printed my site once, as a book, for my father. Best evening I ever spent on a stylesheet.',
    'Serve it compressed, set long caching for pictures, go outside.',
  ],
  links: ['https://example.org/smallweb', 'https://validator.w3.org/', 'https://gohugo.io/'],
  pictures: ['terminal', 'flame'],
}

export const servers = [selfHosting, postgres, homelab, staticSites]
