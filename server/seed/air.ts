import type { Topic } from './topic.ts'

const sdr: Topic = {
  boards: ['radio', 'hardware'],
  slots: {
    band: ['137 MHz', '40 metres', '433 MHz', 'the air band', '1090 MHz', '1.4 GHz'],
    antenna: ['a V-dipole', 'a discone', 'a loop on the balcony', 'a wire out of the window', 'a patch from a kit'],
  },
  threads: [
    [
      'Noise on {band} every evening at seven',
      "It starts within a minute of the hour and covers 200 kHz. I suspect a neighbour's charger, but which neighbour?",
    ],
    [
      'First satellite picture with {antenna}',
      'A stripe of Norway and a lot of static. I have never been so proud of a grey rectangle.',
    ],
    [
      '{antenna}: what to expect on {band}',
      'I read that it should not work. It does work, somewhat, and I would like to know why.',
    ],
    ['The best first SDR in 2026', 'A friend asked me, and I could only name the one I bought in 2015.'],
    [
      'What is this signal near {band}?',
      'Short bursts, every eleven seconds, about 12 kHz wide. Waterfall attached in spirit.',
    ],
    ['Tracking planes: share your range', 'On 1090 with {antenna} I reach 180 km to the west and a wall to the east.'],
    [
      'Filters: which ones made a difference',
      'A broadcast station stands three kilometres from here. Without a notch the whole receiver is that station.',
    ],
    ['Listening to weather balloons', 'Two launches a day near here. I found one in a field and the farmer found me.'],
    [
      'A receiver in the attic, over the network',
      'Short cable to {antenna}, small box, Ethernet down. It gets very hot up there in summer.',
    ],
    ['Number stations, still there', 'Wrote down an evening of them on short wave. The voice has not aged.'],
    ['A wire and a coil: cheap tuner for {band}', 'Built after an old magazine. The knob is from a kitchen stove.'],
    [
      'Storm noise: pretty pictures',
      'Left the waterfall on during the thunderstorm, with {antenna} long disconnected, of course.',
    ],
  ],
  details: [
    'Receiver is a cheap stick, antenna is {antenna}.',
    'Mostly I listen on {band}.',
    'I live in a valley, so please be kind.',
    'The recording is 40 seconds, 2 MS/s.',
    'Gain is set by hand, the automatic one makes it worse.',
  ],
  questions: [
    [
      'How much does a preamp help if the cable is only three metres?',
      'At three metres hardly at all, unless the filter before it eats 3 dB.',
      'It helps when it sits at the antenna. At the receiver you amplify the noise too.',
    ],
    [
      'Is it legal here to listen to the air band? I get a different answer each time.',
      'Depends on the country, and in some on what you do with it. Ask the local club, they know the actual paragraph.',
      'Here it is not, strictly. Everybody at the fence of the airfield has a receiver, though.',
    ],
    [
      'What sample rate do I need to decode a weather satellite?',
      'The old analogue ones fit in 40 kHz, so anything your stick does will do. For the digital ones take 150 kHz and up.',
      'Take 1 MS/s and decimate. Lower rates make some sticks misbehave.',
    ],
    [
      'Ferrite on the USB cable: one turn or five?',
      'Five turns, through a big one. One turn is decoration.',
      'As many as fit, at both ends.',
    ],
    [
      'Can two sticks share one antenna without a proper splitter?',
      'With a T-piece you lose more than half and both hear each other. A splitter is ten euro.',
      'They can, but put an attenuator in front of each.',
    ],
    [
      "How do you find a noise source without walking through other people's gardens?",
      'Small loop, portable receiver, AM. Turn until it is weakest, draw the line on a map, do that three times.',
      'Switch off your own house first. In two of three cases the search ends there.',
    ],
  ],
  comments: [
    'Turn the gain down until the noise floor stops falling, then one step up. That is all there is to it.',
    'Switch off the house at the fuse box and listen on battery. If it is still there it is not you.',
    'It is a power supply. It is always a power supply, and usually the one of the lamp beside you.',
    'The antenna matters more than the receiver. Spend the money on height.',
    'Five turns through a ferrite at both ends of the USB cable took 10 dB of rubbish away here.',
    'Looks like telemetry, maybe a meter or a weather station. Try the usual decoder with all protocols on.',
    'Record it raw and keep it. In a year you may know what it is.',
    'A notch for the broadcast band first, a preamp second. In the other order you only amplify the problem.',
    'Put it outside if you can. One metre beyond the wall is worth more than any filter.',
    'From here it is weakest at noon and comes back at dusk, so I would say it travels far.',
    'Cheap connectors! I lost a summer to one that looked perfect.',
    'Write down frequency, time and mode. A paper log beats every program I have tried.',
    'The picture is better when the pass is higher than 40 degrees. Below that it is all hills and hope.',
    'The local club has somebody with a spectrum analyser and a car. Bring cake.',
    'Remember that the stick drifts while it warms up. Give it twenty minutes before you measure anything.',
  ],
  links: ['https://www.gnuradio.org/', 'https://www.sigidwiki.com/', 'https://example.org/sdr/noise-hunt'],
  pictures: ['waterfall', 'waveform'],
}

const mesh: Topic = {
  boards: ['radio'],
  slots: {
    node: ['a solar node', 'a handheld', 'a rooftop node', 'a node in a jam jar', 'a drone-lifted node'],
    town: ['a town of 30,000', 'a valley', 'the coast', 'three villages', 'a student house'],
    km: ['7 km', '18 km', '41 km', '112 km'],
  },
  threads: [
    [
      '{node} for {town}: first month',
      'Eleven people so far, of whom four are me. Messages arrive, mostly, and in order, sometimes.',
    ],
    [
      '{km} with 25 milliwatts',
      'From a hill to a balcony, standard antenna. I repeated it three times because I did not believe it.',
    ],
    ['Batteries for {node} over the winter', 'Four days of fog is what kills mine. Bigger panel or bigger cell?'],
    [
      'Duty cycle: are we too loud?',
      'With more people the channel gets busy. In {town} we are near the limit on Sunday mornings.',
    ],
    [
      'What do you actually send over mesh radio?',
      'Besides "test" and "can you hear me". In {town} it is mostly bread opening hours.',
    ],
    ['Where to put {node}', 'The church said no, the water works said maybe, the baker said yes at once.'],
    [
      'Sensors over mesh',
      'Soil moisture and a water level, every half hour, from {km} away. It is the first thing that convinced my neighbours.',
    ],
    [
      'Encryption and keys among friends',
      'We share a key on paper at the pub. It has rotated twice, both times because of rain.',
    ],
    ['Naming nodes, a plea', 'There are four called "test" in {town}. I can hear all four and know none.'],
    ['A map or no map?', 'Half of us want to see where everything is, the other half lives there.'],
    ['Mesh at a festival', 'Two fields, no phone network, thirty handhelds. Furthest message {km}, about soup.'],
    [
      'Range walk on Sunday, who joins',
      'From the station to the tower and back, notebook in hand. {node} comes along.',
    ],
  ],
  details: [
    'It is for {town}, flat to the north and hopeless to the south.',
    'Hardware was about 35 euro a node.',
    'All of it is on the licence-free band, with the legal limits.',
    'Longest hop so far is {km}.',
    'The box is a lunch box with a gland, two winters old.',
  ],
  questions: [
    [
      'Does a better antenna help a node that sits inside a window?',
      'A little. Modern windows are coated with metal, so the same antenna outside is worth ten of them.',
      'Move it to another window first, that is free.',
    ],
    [
      'How many hops before it stops being any fun?',
      'Three is fine, five is patience, seven is prayer.',
      'Our messages pass four and take up to a minute. Nobody minds.',
    ],
    [
      'Can I run a node from a bicycle dynamo?',
      'Yes, with a buffer cell. The dynamo gives plenty from 12 km/h on.',
      'I do! The box behind the saddle, and the range on the pass was 60 km.',
    ],
    [
      'Which setting makes the handheld last for a whole weekend?',
      'Position every half hour, screen off after ten seconds, Bluetooth off. That gave me three days.',
      'Client mute role for the time you only listen.',
    ],
    [
      'Is there a mast clamp that does not rust in one season?',
      'Stainless ones made for boats. Twice the price and for ever.',
      'Hose clamps, A4 steel, two of them.',
    ],
    [
      'Slow and far or fast and near: what do you start newcomers with?',
      'Slow and far on the first day, that is what makes them smile. Fast when they start to chat.',
      'The preset everybody around already uses, whatever it is.',
    ],
  ],
  comments: [
    'Height, height, height, then the antenna, then nothing for a long time, then power.',
    'Turn the screen and the position off and it lasts three times as long.',
    'LiFePO4 for the cold ones. The usual cells do not like to be charged below zero.',
    'We set the routers to repeat and all others not to. The channel was empty the next day.',
    'Ask the fire brigade. They have the tower and they like the idea.',
    'A vent plug in the box. Sealed boxes drown from the inside.',
    'Ours carries the weather from the pass, and twice it has carried something important.',
    'Slow preset for the valley, fast one for the town, one gateway between. Works well enough.',
    'Write the contact on the box. Ours was "found" and returned with a note that said nice antenna.',
    'Test it before the storm, not in it. We hold one evening a month without any internet.',
    'Point the panel at the winter sun, nearly upright. In summer you have too much anyway.',
    'Fewer automatic messages. Nobody needs a battery level every minute.',
    'The first ten people come for the gadget, the next ten because the first ten talk about it.',
    'Tape over the connectors: self-sealing, then black. Two years in the wind and still dry.',
  ],
  links: ['https://meshtastic.org/docs/', 'https://reticulum.network/', 'https://example.org/mesh/sites'],
  pictures: ['waterfall', 'circuit', 'terminal'],
}

const irc: Topic = {
  boards: ['random'],
  slots: {
    client: ['WeeChat', 'irssi', 'a client in 300 lines of Go', 'HexChat', 'a phone client', 'Halloy'],
    n: ['3', '7', '12', '20', '16'],
  },
  threads: [
    [
      '{client}: show your layout',
      'Nick list or not, bar at the top or at the bottom, how many windows. Colours optional.',
    ],
    [
      'Bouncer, or a client in tmux?',
      '{n} years of {client} in tmux here. People tell me a bouncer is better, nobody can say for what.',
    ],
    [
      'I am writing a bot and it got out of hand',
      'It was to greet people. Now it keeps the tea rota for {n} of us and has opinions.',
    ],
    [
      'IRCv3 features you really use',
      'History on join changed everything for me. The rest I have forgotten how to live without, or never noticed.',
    ],
    ['Getting friends onto IRC in 2026', 'They like it once they are there. The first ten minutes are the problem.'],
    ['Scripts for {client} worth having', 'I run {n} of them and understand two.'],
    ['Quiet channels are the best channels', 'Ours says about {n} lines a day. All of them are worth reading.'],
    [
      'Logging: do you, and does the channel know?',
      'I keep {n} years of logs, in plain text, and have grepped them perhaps ten times. Each time it was gold.',
    ],
    ['Netsplit stories', 'The longest of ours took an evening. Both halves thought the other one had gone to bed.'],
    ['Topic lines worth keeping', 'I began to collect them. The best one is eleven years old and about bread.'],
    [
      'What was your first channel',
      'Mine had {n} people, four of them bots, and I thought the bots were the nice ones.',
    ],
    ['Moving {client} to a new machine', 'Everything copied, certificates too, and it still greets me as a stranger.'],
  ],
  details: [
    'Client is {client}, over TLS, from a small server.',
    'I have been on the network for {n} years.',
    'The rest of my life is on other chats, this is the nice one.',
    'Config is in a paste, passwords removed, twice checked.',
  ],
  questions: [
    [
      'How do I make highlights for my nick but not for words that contain it?',
      'Use a regex with word borders: \\bnick\\b. Every client has a field for it somewhere.',
      'In WeeChat it is whole words by default, check weechat.look.highlight for what you added.',
    ],
    [
      'Does anybody have a client certificate login working with a bouncer?',
      'Yes, with soju. Add the fingerprint to services, then SASL EXTERNAL for the upstream.',
      'Works here. The trick was that the bouncer needs its own certificate, not yours.',
    ],
    [
      'What is the polite length for a paste in a channel?',
      'Three lines. From the fourth on it is a link.',
      'If you have to ask, use the paste service.',
    ],
    [
      'Is there a terminal client that shows reactions without ten scripts?',
      'senpai does, more or less. And it is small.',
      'Not really yet. I get them as a quiet line and that is good enough.',
    ],
    [
      'How do I see who set the topic and when?',
      '/topic without anything shows it after join, look for the 333 line.',
      'Some clients hide it. /quote topic #channel will tell.',
    ],
    [
      'Can one nick be on from two machines without an underscore?',
      'With a bouncer, yes, that is what it is for.',
      'Only through a bouncer, the server allows one of each.',
    ],
  ],
  comments: [
    'Bouncer. Phone and laptop with the same history, and nobody sees me come and go.',
    'tmux and nothing else for twelve years. There is nothing to break.',
    'No nick list. If I want to know who is there I ask, and then somebody is.',
    'Certificate login takes ten minutes to set up, and then you never type that password again.',
    'The trick is to be there every evening for a month. Then it is a place.',
    'Send them a web chat link, not a manual. The manual comes later, by itself.',
    'A bot should be able to do one thing and to shut up. Ours can do the first.',
    'Set the join and part messages to smart filter. The channel becomes readable at once.',
    'Tell people that you log. Put it in the topic. Nobody ever minded here.',
    'I have the date in the status bar and nothing else. It is very calm.',
    'Relay bots are a blessing for a year and then a curse. Plan for the curse.',
    'We voted for no bots at all, and it has been lovely.',
    'chathistory alone is worth the upgrade. Open the lid of the laptop and read on.',
    'Colours by nick hash, dark ones thrown out. It is the only theme I need.',
    'Join the radio channel in the evening, somebody is always choosing music there.',
  ],
  links: ['https://ircv3.net/', 'https://weechat.org/doc/', 'https://soju.im/'],
  pictures: ['terminal'],
}

const music: Topic = {
  boards: ['radio', 'random'],
  slots: {
    genre: [
      'ambient',
      'dub techno',
      'drum and bass',
      'old tracker modules',
      'string quartets',
      'rain recordings',
      'synth scores',
    ],
    task: ['debugging', 'writing tests', "reading other people's code", 'soldering', 'late deploys'],
  },
  threads: [
    [
      'Music while {task}: {genre}?',
      'No voices for me, and nothing that builds up. {genre} does it, for about two hours.',
    ],
    [
      'The stream last night was unreasonably good',
      'Whoever played {genre} after midnight: thank you. I finished a thing I had put off since August.',
    ],
    [
      'Recommend me {genre} that is not on every list',
      'I have heard the famous twenty. I would like the ones you keep to yourselves.',
    ],
    ['Local files people, how do you sort?', 'Forty thousand tracks, folders by feeling. I admit it does not scale.'],
    [
      'Silence: who else?',
      'I used to have {genre} on all day. Since the summer I work in silence, and it is a little scary.',
    ],
    [
      'Headphones for eight hours',
      'Light, replaceable pads, cable that comes off. {genre} and calls, not much bass needed.',
    ],
    [
      'Making {genre} with nothing but free software',
      'Finished my first four minutes. It is not good, and I have listened to it thirty times.',
    ],
    ['What plays when it finally compiles', 'Everybody has one. Mine is {genre}, very loud, one track only.'],
    ['The schedule: what would you add', 'Mornings are empty. I would get up for {genre}, once a week.'],
    ['Recording the stream for the train', 'cron, two hours, one file. It always cuts off in the best transition.'],
    ['Songs about computers that are not bad', 'There must be more than five. No jingles, please.'],
    [
      'Speakers for a small desk',
      'Sixty centimetres away, wall behind. {genre} mostly, and the neighbour sleeps early.',
    ],
  ],
  details: [
    'It has to work for {task}, so nothing with lyrics.',
    'I listen on old monitors with one blown tweeter.',
    'Length matters, an hour in one piece is best.',
    'Files rather than streams, if it can be had.',
    'The radio here covers most of it, but not the mornings.',
  ],
  questions: [
    [
      'Is there a player that can do gapless and nothing else?',
      'mpd and any client. It does gapless since for ever and never shows you a banner.',
      'mpv with --gapless-audio=yes, a folder, and no window.',
    ],
    [
      'What bitrate is honestly enough on the bus?',
      '96 kbit Opus. Nobody has told it from the CD on a bus yet, me included.',
      '128. The diesel is louder than the difference.',
    ],
    [
      'How do you tag mixes that are one file of two hours?',
      'Artist is who mixed, album is the series, and a cue sheet next to it for the tracks.',
      'Date first in the title, that is the only thing I ever search by.',
    ],
    [
      'Does anybody else hear a click when the stream changes tracks?',
      'Yes, when the sample rate changes between two files. Re-encode to one rate and it is gone.',
      'I did until I switched off the crossfade.',
    ],
    [
      'Which tracker would you give to somebody who has never seen one?',
      'MilkyTracker. It looks like 1993 and it forgives.',
      'Furnace, and one of the demo songs to take apart.',
    ],
    [
      'How does one get a slot on the radio here?',
      'Ask in the radio channel in the evening. They want a name, a day and a first track.',
      'There is a test slot on Mondays when nobody listens but three of us. We are kind.',
    ],
  ],
  comments: [
    'An hour of one chord, slowly changing. I get more done in that hour than in the rest of the day.',
    'Old modules from the tracker days. Small, endless, and nobody sings.',
    'The archive has the show from two weeks ago, start at about forty minutes.',
    'One album for one project. When I hear it later I can see the code.',
    'Folders by year of purchase. It sounds mad, and it is the only order I can remember.',
    'Brown noise when it is bad, the stream when it is good.',
    'Film scores for the boring parts. Updating a changelog has never felt so important.',
    'I want lyrics, but in a language I do not speak.',
    'The open ones with the velvet pads. Mine are eleven years old and on the third cable.',
    'Buy it from the artist, keep the files, back them up. Done for life.',
    'Nothing beats the late slot on Thursdays. Whoever it is, keep going.',
    'Silence until lunch, loud after. It is a system.',
    "Post the four minutes! Everybody's first four minutes are bad, that is what they are for.",
    'I use the same playlist backwards on Fridays. Nobody can stop me.',
    'Low volume is the secret. You should be able to forget that it is on.',
  ],
  links: ['https://modarchive.org/', 'https://beets.io/', 'https://example.org/radio/schedule'],
  pictures: ['waveform', 'waterfall'],
}

export const air = [sdr, mesh, irc, music]
