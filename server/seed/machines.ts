import type { Topic } from './topic.ts'

const coreboot: Topic = {
  boards: ['hardware'],
  slots: {
    machine: ['a T480', 'an X230', 'a T440p', 'a W530', 'an X220', 'an old Chromebook', 'a small office desktop'],
    chip: ['W25Q128', 'MX25L6406', 'W25Q64'],
  },
  threads: [
    [
      '{machine}: coreboot boots, screen stays black',
      'Flashed it last night. Serial says it reaches the payload, fans spin, the panel stays dark. An external monitor works.',
    ],
    [
      'Dumps of the {chip} never match',
      'Four reads, three different sums. Clip is new, wires are about 20 cm, the board is out of the case.',
    ],
    [
      'Which payload do you use and why',
      'I went from SeaBIOS to EDK2 and back within a week. One is ugly and fast, the other is pretty and wants my attention.',
    ],
    [
      'Is {machine} still worth flashing in 2026?',
      'Found one for forty euro with a good panel. It would be a writing machine, nothing else.',
    ],
    [
      'Disabling the management engine: what actually broke?',
      'Everybody says "nothing". I would like the boring list of what did break, with the model it broke on.',
    ],
    [
      'Cheap programmers, a comparison',
      'Bought three of them so that you do not have to. Two put 5 V on the data lines although the jumper says 3.3.',
    ],
    [
      'Fan curve after flashing {machine}',
      'It is either off or a vacuum cleaner now. The old firmware had at least four steps in between.',
    ],
    [
      'I bricked it. Walk me through the way back',
      'Power light on, no beep, no screen. I do have the original dump, in two copies, and sums of both.',
    ],
    [
      'Boot time bragging thread',
      'From the power button to a login prompt in 3.1 seconds on {machine}. Post yours with the payload.',
    ],
    [
      'Microcode: with or without?',
      'Without it two errata on my board are open, with it there is a blob. I would like to hear from people who measured.',
    ],
    [
      'Keeping the original dump: where?',
      'Two copies on two sticks, one on paper as a joke. The paper is 60 pages of hex.',
    ],
    ['Write protection on {machine}, how far do you go', 'A screw, a jumper, a register. I trust the screw.'],
  ],
  details: [
    'Board is {machine}, chip is a {chip}.',
    'Original dump is saved twice, so I am in no hurry.',
    'Built from the current tree, no patches.',
    'Voltage at the pins is a steady 3.3 V, I measured it.',
    'Battery and coin cell are both out, of course.',
    'I have read the board page twice and the mailing list once.',
  ],
  questions: [
    [
      'Does coreboot care whether the two memory sticks are the same make?',
      'Not as long as both have readable SPD data. Mine has run with two makes for three years.',
      'It trains both and takes the slower timings. Mixed sizes are fine as well.',
    ],
    [
      'Can I read a flash chip with the board still in the case, or is that asking for trouble?',
      'It is asking for trouble. The bottom cover nearly always pushes on the clip.',
      'I did it once and needed nine tries. Eight screws are less work.',
    ],
    [
      'How long may the wires to a SOIC-8 clip really be?',
      'Ten centimetres is fine, twenty is luck, thirty is an antenna.',
      'As short as the clip allows. And twist ground around the clock.',
    ],
    [
      'Does suspend to RAM work for anybody on a flashed X220?',
      'Yes, since the last release but one. Before that it woke up with a black panel.',
      'It does here, but only with the newer EC firmware.',
    ],
    [
      'What is a sane size for the boot splash before it slows things down?',
      'Keep it under 100 kB and it makes no difference that I could measure.',
      '1024 by 768 as JPEG. Anything bigger is scaled down anyway.',
    ],
    [
      'Is a Pi Pico good enough as a flash programmer?',
      'Yes, with the serprog firmware. It is what I use for everything now.',
      'Good, and it is 3.3 V by nature, so nothing can go wrong there.',
    ],
    [
      'How do I tell a 1.8 V chip from a 3.3 V one without the datasheet?',
      'The last letters of the marking: the W ones are 1.8 V for Winbond. When in doubt measure the supply pin while it is on.',
      'Power the board, multimeter on pin 8, done.',
    ],
  ],
  comments: [
    'It is nearly always the wires. Shorter than 10 cm, and turn the clock down to 512 kHz.',
    'Read three times, compare the sums, and only then think about writing.',
    'Check that the EC is not waking up and grabbing the bus. Mine did that about once in three reads.',
    "Mine needed the video blob out of the vendor image. Extract it from your own dump, never from somebody else's.",
    'Take the bottom cover off completely. On one of my boards it pressed on the clip just enough.',
    'I run SeaBIOS and have not thought about it since. That is what I want from firmware.',
    "Clean the legs of the chip with alcohol first. There is a varnish on some of them that you can't see.",
    'Try it with a single stick of memory in the slot next to the processor.',
    'The debug output over USB saved me a week. It wants a special cable, but the cable is one resistor.',
    'I printed a jig with pogo pins and stopped using clips altogether.',
    'Write down the exact commit you built from. In a year you will want to know.',
    'Flashing it was an evening, getting the keyboard backlight right took until spring.',
    'Same board, same chip, no trouble at all. So it can be done.',
    'If the sums agree at a low clock and differ at a high one, you have your answer.',
    'Set the fan thresholds in the devicetree, it is three numbers and well explained in the comments there.',
    'Ground the programmer and the board together before you touch anything else.',
  ],
  links: ['https://doc.coreboot.org/', 'https://www.flashrom.org/', 'https://example.org/wiki/soic-clips'],
  pictures: ['terminal', 'circuit', 'waveform'],
}

const retro: Topic = {
  boards: ['hardware'],
  slots: {
    old: ['a 386SX', 'an Amiga 500', 'a Pentium 90', 'a Psion 5mx', 'an Atari ST', 'a PowerBook G3', 'a Mac SE'],
    part: ['the hard disk', 'the power supply', 'the floppy drive', 'the keyboard membrane'],
  },
  threads: [
    ['Rescued {old} from a skip', 'It was under a carpet and two broken chairs. Everything is there but {part}.'],
    [
      'Caps, again: when do you recap {old}?',
      'No visible leaks yet. Half the people I ask say now, the other half say never touch a running system.',
    ],
    [
      'What do you really do with {old} after the first weekend?',
      'The first weekend is wonderful. After that mine sits on a shelf and I feel guilty.',
    ],
    [
      'Batteries that eat boards: photos',
      'Opened {old} today. The barrel battery had started on the traces. Check yours, please, today.',
    ],
    [
      'Replacing {part} with something modern',
      'A card with a microSD slot is silent, cheap and a little sad. I miss the noise more than I expected.',
    ],
    [
      'Yellow plastic: does the peroxide trick last?',
      'Did it five years ago, and half of it is back. The half near the window, of all places.',
    ],
    [
      'Getting {old} on the network',
      'I want it to reach one text page on my own server, nothing more. Serial, parallel or a real card?',
    ],
    [
      'CRT: repair, or let it go',
      'It whines for ten minutes and then has the best picture in the house. I know what the whine means.',
    ],
    [
      'Games that only feel right on the real thing',
      'The emulator is perfect and something is missing. I think it is the wait.',
    ],
    [
      'What came with it: odd finds inside old cases',
      'A love letter, a bus ticket of 1994, and once a sandwich. The sandwich was in {old}.',
    ],
    [
      'How do you store disks so that they last',
      'Mine are upright, dry, in the dark. Every tenth one complains anyway.',
    ],
    [
      'A modern program for {old}',
      'I wrote a small RSS client for it in the summer. It shows four headlines and has to rest in between.',
    ],
  ],
  details: [
    'The seller had three more, I was strong.',
    'I would rather keep it original where I can.',
    'It powers on, which is more than I deserve.',
    'There is a photo of the board if anybody wants one.',
    'My soldering is fine, my patience is not.',
    'The manual came with it, in German, with coffee on it.',
  ],
  questions: [
    [
      'Is there a floppy emulator that does not need its firmware changed first?',
      'The newer clones come with the free firmware already. Ask the seller before you pay.',
      'Not that I know, but the change takes five minutes over USB.',
    ],
    [
      'How do you get a stuck PS/2 plug out without taking the socket with it?',
      'Warm it with a hair dryer, then pull straight. Never wiggle.',
      'A drop of contact spray, wait ten minutes, and pull at the metal, not at the cable.',
    ],
    [
      'Where do people buy belts for old drives these days?',
      'A bag of assorted square belts from the auction site, and a ruler. One of them always fits.',
      'The cassette deck people have them. Same sizes, friendlier shops.',
    ],
    [
      'Is it safe to wash a motherboard in plain water if it dries for a week?',
      'Yes, battery out, distilled water for the last rinse, and a week near a heater.',
      'I have done four that way. Speaker and relays off first, they keep water.',
    ],
    [
      'What is the smallest ISA network card that still has a driver disk online?',
      'The 8-bit compatible NE2000 ones. Half length, and the driver is one file.',
      'Take a 3C509 if you find one, the setup disk is on every archive.',
    ],
    [
      'Will a VGA to HDMI box cope with 70 Hz text modes?',
      'Half of them show "out of range". The ones with a real scaler inside are fine and cost three times as much.',
      'Mine copes but squeezes it to 60. You see it as soon as something scrolls.',
    ],
  ],
  comments: [
    'First thing, before the power cable: take the battery out. Second thing too.',
    'Measure the power supply under a load. An idle one always looks healthy.',
    'I use mine for writing. No network, one program, and it saves to something I can hold.',
    'Clean the contacts of every socketed chip before you suspect the chip.',
    'A CF card in an adapter has run in mine for nine years. The real disk is in a drawer, with a label.',
    'Keep every screw in an egg box. I speak as somebody with eleven left over.',
    'Recap the supply, leave the board alone until it complains.',
    'The smell of warm dust when it starts is half of the hobby.',
    'There is a scan of the service manual in the usual archive, schematics on the last pages.',
    'Mine had a cold joint at the power socket. Two minutes with an iron, after three weekends of theories.',
    'Somebody at a flea market gave me a box of disks for it. Every third one still reads.',
    'Dry it properly. Then dry it for two days more.',
    'Serial at 9600 and a null modem cable: slow, and it has never let me down.',
    'Lubricate the rails of the drive, a drop is enough. It has waited thirty years for that.',
    'Please write down what you did on a note and leave it in the case. The next owner will bless you.',
  ],
  links: ['https://archive.org/details/software', 'https://example.org/retro/recap-notes', 'https://www.dosbox.com/'],
  pictures: ['circuit', 'terminal', 'waveform'],
}

const unix: Topic = {
  boards: ['random'],
  slots: {
    system: ['Plan 9', 'NetBSD', 'IRIX', 'Solaris 8', 'OpenBSD', 'Minix', '2.11BSD'],
    tool: ['ed', 'awk', 'dc', 'make', 'm4', 'sed'],
  },
  threads: [
    [
      'Running {system} for a week, day by day',
      'Rule: if I can do it there I must do it there. Day one was mostly about the keyboard layout.',
    ],
    [
      'Things {system} got right that nobody copied',
      'I keep finding small decisions that were simply better. Tell me yours before I write a long text nobody reads.',
    ],
    [
      '{tool} is better than you remember',
      'I replaced forty lines of script by four lines of {tool}. My colleague has not forgiven me yet.',
    ],
    [
      'Old manuals are the best manuals',
      'Reading the printed volumes on the train. Every page assumes that I can think, and it is a strange feeling.',
    ],
    [
      '{system} in a virtual machine: which settings?',
      'The installer sees the disk, the kernel does not. It worked in an older release of the emulator.',
    ],
    [
      'Your oldest line of code that still runs',
      'Mine is a backup script with a comment from 2003. It mentions a tape drive.',
    ],
    ['Why is everything in /usr, really', 'I know the story with the second disk. I would like to hear why it stayed.'],
    [
      'Teaching somebody the shell with {system}',
      'A cousin wants to learn, and I thought a small system would be kinder than a big one.',
    ],
    ['The smallest useful crontab', 'Mine has three lines, and one of them waters a plant.'],
    ['Plain text accounting, a year in', 'Every coffee is in a file. {tool} makes the sums, and I make fewer coffees.'],
    [
      'What does your .profile say about you',
      'I found a line in mine that sets the terminal to one I have not seen since 1999.',
    ],
    [
      'Reading mail on {system}',
      'It took an afternoon to get TLS going. Since then no mail has looked like an advertisement.',
    ],
  ],
  details: [
    'It is for fun, so please no "just use a container".',
    'The documentation is honest, which is new for me.',
    'I have a real machine for it too, but it is loud.',
    'Most of what I need is a terminal and mail.',
    'It took one evening to install and three to stop smiling.',
  ],
  questions: [
    [
      'How do I make vi show me where the tabs are on a system without vim?',
      ':set list. It shows tabs as ^I and has done so since the seventies.',
      'cat -vet in another window, if even :set list is missing.',
    ],
    [
      'Is there a modern mail reader as small as the old ones?',
      'aerc, perhaps. Not as small as the old ones, but it has the spirit.',
      'mblaze. It is only commands, you bring the shell.',
    ],
    [
      'Why does my cron job run with another PATH than my shell?',
      'Because cron reads none of your dotfiles. Set PATH on top of the crontab.',
      'It starts with almost nothing on purpose. Use full paths and you will never ask again.',
    ],
    [
      'Which BSD is kindest to a laptop from 2012?',
      'OpenBSD, if the wireless chip is an Intel one. Suspend just works on that age.',
      'I had less trouble with NetBSD there, but I like editing files.',
    ],
    [
      'What does the sticky bit do on a plain file today?',
      'On a plain file: nothing on Linux, it is simply ignored. It once meant "keep the text in swap".',
      'A museum piece. On directories it is why /tmp works.',
    ],
    [
      'Can tar really not tell me that the disk was full?',
      'It does, but only in the exit code. Check it, pipes swallow it.',
      'GNU tar says "cannot write" at the end. If it is in a pipe, turn on pipefail.',
    ],
  ],
  comments: [
    'The man pages are written by people who had to use the thing. You feel it on every line.',
    'I started with it because of the poster and stayed because of the pf syntax.',
    'awk first, Python when awk starts to hurt. It hurts later than one thinks.',
    'Read the source of the smaller tools. Most of them fit on two screens.',
    'My router has run it for six years. The last time I logged in was to see how long.',
    'The trick is to stop fighting it for a week. After that the others look strange.',
    'Everything is a file until it is a socket, and then everything is a special case.',
    'Give it less memory in the emulator. Some of these kernels count in a small integer.',
    'The mailing list is slow and kind. Send the dmesg with your question.',
    'I keep one old system around just to remember how short a config file can be.',
    'Make still does 90 percent of what the new build tools do, and it does not phone anybody.',
    'Union mounts spoiled me for everything else.',
    'Write the install log down as you go. There is no second chance to be a beginner.',
    'A pipeline of five small things is easier to debug than one clever thing. I will die on this hill.',
  ],
  links: ['https://www.netbsd.org/docs/', 'https://man.openbsd.org/', 'https://9p.io/plan9/'],
  pictures: ['terminal', 'flame'],
}

const reversing: Topic = {
  boards: ['hardware', 'random'],
  slots: {
    device: [
      'a doorbell camera',
      'an old set-top box',
      'a cheap label printer',
      'a smart socket',
      'a bike computer',
      'an e-scooter display',
    ],
    port: ['a UART', 'a JTAG', 'an SWD'],
  },
  threads: [
    [
      'Found {port} header on {device}',
      'Four unlabelled pads next to the main chip. One of them talks at power-on, at a baud rate I have not guessed yet.',
    ],
    [
      'Taking {device} off the cloud',
      'I own it, I would like it to work without asking a server abroad. The local protocol looks simple enough.',
    ],
    [
      'Unpacking the firmware of {device}',
      'The header is no format I know, but entropy is low for the first 64 kB, so something in there is readable.',
    ],
    [
      'Capture the flag, the weekend thread',
      'Anybody here playing on Saturday? We are three people and miss one who likes crypto.',
    ],
    [
      'Logic analyser for beginners',
      'The eight channel clones cost ten euro. Is there any reason to spend two hundred?',
    ],
    [
      'Documenting a protocol nobody documented',
      'Two weeks of captures from {device}, a notebook full of tables, and the checksum still says no.',
    ],
    [
      'Which disassembler did you stay with?',
      'I have tried three and am slow in all of them. The one with the best keyboard handling wins.',
    ],
    [
      'I reported a bug in {device} and they fixed it',
      'For once a nice story. A polite mail, an answer in two days, an update in three weeks.',
    ],
    [
      'A checksum that changes with the weather',
      'Same bytes in, other sum out. I suspect the temperature is in there somewhere, this is {device} after all.',
    ],
    ['Best lecture or text to begin with', 'I read C, a little assembler, and get lost after the third indirect call.'],
    ['Reading a chip from the outside', 'Microscope photos of {device} came out well. You can count the memory rows.'],
    [
      "Naming things in somebody else's binary",
      'I call functions by what they smell like until I know better. How do you do it?',
    ],
  ],
  details: [
    'It is my own device, bought in a shop, out of warranty.',
    'Pictures of both sides of the board exist.',
    'The flash is a plain SPI part, that much I know.',
    'I want to understand it, not to sell anything.',
    'The vendor was asked first and did not answer.',
  ],
  questions: [
    [
      'How do I find the baud rate if the text is garbage at every common one?',
      'Look at the shortest pulse on a scope, one divided by that is your rate.',
      'Try 74880. It is the odd one that nobody thinks of.',
    ],
    [
      'What is a gentle first crackme for somebody who reads C well?',
      'The ones with symbols left in. Work through the first ten of any beginner list, they take an hour each.',
      'Compile your own and take it apart. You know what it should say.',
    ],
    [
      'Is there a tool that guesses a CRC from a few samples?',
      'reveng. Four samples of the same length are usually enough.',
      'Yes, but give it messages that differ in one bit only, then even paper will do.',
    ],
    [
      'How do you keep notes while reversing something big?',
      'In the database of the disassembler as comments, and one text file for what I was wrong about.',
      'A diary, dated. The dead ends are the useful part.',
    ],
    [
      'Can a ten euro logic analyser follow SPI at 8 MHz?',
      'With 24 MS/s you get three samples per bit. It works until it does not.',
      'For looking, yes. For decoding I slow the bus down first.',
    ],
    [
      'What do people use to diff two firmware images?',
      'Unpack both and diff the trees. Only then look at the bytes that are left.',
      'radiff2 for a first look, then a plain hexdump and diff like our ancestors.',
    ],
  ],
  comments: [
    'Measure the shortest pulse on the scope and take its inverse. That is your baud rate, no guessing.',
    'Put the strings through a frequency count. Vendors love to hide text by adding one.',
    'It is a CRC with an odd starting value. It is always a CRC with an odd starting value.',
    'Start from the error messages and walk backwards. They are the only honest names in there.',
    'Keep captures small and named. Three seconds of one button is worth more than an hour of everything.',
    'Change one thing, capture, compare. Boring, and it works every time.',
    'Ask politely first and keep the mails. Most of the small vendors are glad somebody looks.',
    'The pads next to the crystal are usually for the factory test. Try those.',
    'If it boots something with a shell you are nearly there. Interrupt it in the first second.',
    'I stayed with the free one. The decompiler is good enough, and scripting it is a pleasure.',
    'Write the parser while you are still guessing. It shows you where the guess was wrong.',
    'Ground loop. Power the board and the analyser from the same supply and look again.',
    'Never patch the only copy. Dump, copy, then play.',
    'Look for the update mechanism, it is the best documented part of any firmware.',
    'A cheap analyser is fine up to some MHz. Past that it invents things, with great confidence.',
  ],
  links: ['https://ghidra-sre.org/', 'https://sigrok.org/', 'https://example.org/notes/uart-pinouts'],
  pictures: ['waveform', 'terminal', 'circuit'],
}

export const machines = [coreboot, retro, unix, reversing]
