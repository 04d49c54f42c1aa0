import type { Topic } from './topic.ts'

const shell: Topic = {
  boards: ['random'],
  slots: {
    shell: ['fish', 'zsh', 'plain bash', 'ksh', 'nushell', 'dash'],
    ms: ['14 ms', '420 ms', '1.8 s', '90 ms'],
  },
  threads: [
    ['{shell} for a month', 'Came for the completion. I still type the old thing at every third prompt.'],
    ['My prompt takes {ms}', 'It asks git, the battery and the weather. I only look at the directory.'],
    ['One-liners you are not proud of', 'They work, you use them each week, and you hope that nobody scrolls up.'],
    [
      'When does a script become a program?',
      'Mine has 600 lines of {shell} and a function called main. I think the moment was some time ago.',
    ],
    [
      'Aliases everybody should have',
      'Not the cute ones. The ones that you miss on a strange machine within a minute.',
    ],
    [
      'Dotfiles: public or not?',
      'Cleaned up twelve years of {shell} config. Half of it was for programs that do not exist any more.',
    ],
    [
      'History is the best feature',
      'Two hundred thousand lines, searchable, across machines. I hardly remember commands any more, I remember words from them.',
    ],
    ['set -e and its friends', 'I have read all the arguments and still put it on top of everything. Convince me.'],
    [
      '{shell} starts in {ms}, here is how',
      'Profiled it line by line. Most of the time went into a tool I had removed in spring.',
    ],
    ['Which command did you learn this year', 'Mine is comm. It has been there all the time, next to sort.'],
    ['Colour in the terminal: how much?', 'I switched it off for a week to see what I miss. Errors, and nothing else.'],
    [
      "Reading other people's {shell} scripts",
      'Found one with a poem at the top. It also had the best error handling I have seen.',
    ],
  ],
  details: [
    'Terminal does not matter much, I think, but tell me if it does.',
    'It has to work over ssh on machines that are not mine.',
    'I use {shell} on the desktop and whatever is there on servers.',
    'No frameworks, please, I have just got rid of one.',
  ],
  questions: [
    [
      'How do I rename two hundred files with spaces in them without crying?',
      'perl-rename with -n first. Look at it, then without -n.',
      'vidir, if you have an editor you trust. It is a joy.',
    ],
    [
      'What is the difference between $@ and $* once more, in one sentence?',
      'Quoted, "$@" keeps the words apart and "$*" glues them into one.',
      'Use "$@". The other one is for log lines.',
    ],
    [
      'How do you keep secrets out of the shell history?',
      'read -rs into a variable. Then it is neither in the history nor on the screen.',
      'A space in front and HISTCONTROL=ignorespace.',
    ],
    [
      'Is there a good way to time a pipeline part by part?',
      'Put pv between the parts. It shows who waits for whom.',
      'Write the stages to files once and time them one by one. Dull and exact.',
    ],
    [
      'Which shell do you use in containers that have nothing?',
      'sh, and I write for it. If there is not even that: nsenter from outside.',
      'busybox, copied in, used, removed.',
    ],
    [
      'How do I get the exit code of the first command of a pipe?',
      'The array PIPESTATUS in bash, and straight away, the next command overwrites it.',
      'In zsh it is pipestatus, lower case, and it counts from 1. Of course.',
    ],
  ],
  comments: [
    'A space in front of the command keeps it out of the history. Set HISTCONTROL and sleep well.',
    'shellcheck in the editor. It is rude and it is right.',
    'Once it needs an array of arrays it is a program. Before that it is a script with ambition.',
    'Mine shows the directory and the exit code if it was not zero. Everything else can be asked for.',
    'Quote everything. When in doubt, quote the quotes.',
    'Lazy loading took mine from 400 ms to 30. The version manager was the culprit.',
    'find with -print0 and xargs with -0, tattooed on the back of the hand.',
    'I use the boring one everywhere, so that nothing surprises me at three in the morning.',
    'ctrl-r with a fuzzy finder, and half of the aliases became useless overnight.',
    'Put a trap for EXIT into it. It cleans up even when you are not polite.',
    'A function is better than an alias as soon as there is an argument. Always.',
    'mkdir and cd in one, that is the only alias I would save from a fire.',
    'Public, with a script that looks for secrets before each push. It has saved me twice.',
    'Turn on pipefail, or the failure in the middle passes as success.',
    'Read the manual page from top to bottom once. It is one evening, and you will talk about it for years.',
  ],
  links: [
    'https://www.shellcheck.net/',
    'https://fishshell.com/docs/current/',
    'https://mywiki.wooledge.org/BashPitfalls',
  ],
  pictures: ['terminal', 'flame'],
}

const keyboards: Topic = {
  boards: ['hardware'],
  slots: {
    board: ['a 36-key split', 'a Model M', 'a 60 percent', 'an ortholinear', 'a dactyl', 'a laptop keyboard'],
    switches: ['browns', 'silent tactiles', 'buckling springs', 'linear reds', 'low-profile whites'],
  },
  threads: [
    ['Two months on {board}', 'Speed is back to where it was, wrists are better. Brackets are still a journey.'],
    ['{switches} in a shared office: verdict', 'Nobody has complained aloud. Somebody has moved his desk, though.'],
    [
      'Where do you put the symbols?',
      'On {board} there is no room, so everything is on layers. I have moved the braces four times this week.',
    ],
    [
      'Hand-wired {board}, pictures of the underside',
      'Forty diodes, one cold joint, and it took me an hour to find which. It types.',
    ],
    [
      'Home row mods: I gave up',
      'A month of accidental shortcuts. My fingers roll, and the firmware takes it personally.',
    ],
    [
      'Cleaning {board} after ten years',
      'There was a whole breakfast in there. Caps are in the bath, plate is drying.',
    ],
    [
      'Does the layout matter or do we just like projects?',
      'I type plain QWERTY at 80 words a minute on {switches}, and have a drawer of boards that promised more.',
    ],
    [
      'Cheap {switches} that feel expensive',
      'Tried six bags from the usual places. Two were better than the brand that they copy.',
    ],
    ['Travel board', 'Flat, light, no cable, not {board} again. It has to survive a rucksack.'],
    ['Sound test: {switches} on a towel', 'Recorded it on the phone, with and without. The towel wins.'],
    ['Key caps without letters, a year on', 'I look at the keys as often as before. There is just nothing there.'],
    ['Typing numbers without a number row', 'On {board} they live on a layer. Bank transfers are an adventure.'],
  ],
  details: [
    'Board is {board} with {switches}.',
    'Firmware is QMK, keymap of my own.',
    'I write more prose than code, if that matters.',
    "My neighbour's wall is thin.",
    'Caps are blank, by accident at first.',
  ],
  questions: [
    [
      'How long did it take you to get used to a split board?',
      'Two weeks until mail, six until passwords.',
      'About a month. And a week to be able to use both.',
    ],
    [
      'Can I lubricate switches without taking them out of the board?',
      'Not well. With hot-swap it is an evening, without it leave them as they are.',
      'There is a trick with a syringe through the top. It is messy and half as good.',
    ],
    [
      'Is there a wrist rest that does not become disgusting?',
      'Wood. Oiled once a year, wiped once a week.',
      'No rest at all, hands in the air. It took a fortnight.',
    ],
    [
      'What is a good angle for tenting to begin with?',
      'Ten degrees to begin with. I ended at twenty-five.',
      'As much as two paperbacks give you. Then adjust by chapters.',
    ],
    [
      'How do you type umlauts on an ANSI board?',
      'Compose, quote, letter. After a week the fingers do it alone.',
      'The EurKEY layout. All of them on AltGr, nothing else changes.',
    ],
    [
      'Do hot-swap sockets wear out in practice?',
      'Rated for a hundred changes, and I have never met anybody who got there.',
      'What breaks is the pad, when you push without holding the board from below.',
    ],
  ],
  comments: [
    'Three weeks until it stops hurting the ego, two months until the old one feels wrong.',
    'Symbols under the right hand, numbers under the left, and then never touch it again.',
    'Raise the tapping term for the little fingers only. Mine became usable that evening.',
    'O-rings change the feel more than the sound. A mat under the board changes the sound.',
    'Wash the caps in a bag with a denture tablet. Half an hour, like new.',
    'I came back to a plain board with a good layout. The projects were the point, I see that now.',
    'Print the keymap and put it under the screen. In a week you can throw it away.',
    'It is the typing position, not the switch. Lower your desk first, it is free.',
    'Silent tactiles. Nobody hears them, and everybody who tries them asks where to buy.',
    'Solder the diodes all in the same direction. Ask me how I know.',
    'Tent it by two matchboxes for a week before you print anything.',
    'Compose key, for everything. It is the most underrated key there is.',
    'My Model M is older than my colleagues and louder than all of them.',
    'If you use vim, keep the arrows where hjkl were. It helped me over the first week.',
    'Buy one spare controller with the board. They break off at the socket, always.',
  ],
  links: ['https://docs.qmk.fm/', 'https://zmk.dev/docs', 'https://example.org/keyboards/layers'],
  pictures: ['circuit', 'terminal'],
}

const readers: Topic = {
  boards: ['hardware', 'random'],
  slots: {
    reader: ['a Kobo', 'an old Kindle', 'a PocketBook', 'a reMarkable', 'a panel from a broken reader'],
    use: ['a second screen', 'a weather display', 'a paper reader', 'a terminal', 'a wall calendar'],
  },
  threads: [
    [
      '{reader} as {use}',
      'It works better than it has any right to. Refresh is the one thing one has to make peace with.',
    ],
    [
      'KOReader settings you could not live without',
      'Installed it on {reader} yesterday, and the menu is a small town.',
    ],
    [
      'Getting papers onto {reader} without an account',
      'Two columns, tiny type, figures across both. What do you do with those?',
    ],
    [
      'Ghosting on {reader}: fixable?',
      'After a year as {use} the old picture shines through. A full refresh every page helps, and flickers.',
    ],
    [
      'Battery of {reader} after seven years',
      'It held for four weeks once, now for five days. The replacement is 12 euro and eight tiny screws.',
    ],
    [
      'Driving a bare e-ink panel',
      'A panel, a controller board, a microcontroller. {use} is the plan, if the waveforms let me.',
    ],
    [
      'Reading feeds on paper-like screens',
      'Every morning a script makes one file of all feeds, and {reader} fetches it. No scrolling, no links, wonderful.',
    ],
    ['Notes by hand, searchable later', 'I do not want the cloud to read my handwriting. I can hardly read it myself.'],
    ['Dictionaries on {reader}', 'Found good ones for four languages. Tapping a word has replaced half of my browser.'],
    ['Two screens, one of them slow', 'Mail on e-ink, everything else on the bright one. I answer less and better.'],
    ['Sleep screen ideas', 'Mine shows the next appointment and a bird. The bird changes.'],
    ['Comics on {reader}: which settings', 'Contrast up, dithering off, landscape. The night scenes are still soup.'],
  ],
  details: [
    'Model is {reader}, bought used.',
    'It would mostly be {use}.',
    'Wireless stays off but for five minutes at night.',
    'I would rather not open it again, the glue was awful.',
    'Front light off, it is about the paper feeling.',
  ],
  questions: [
    [
      'Can a page be refreshed in part without ghosting after an hour?',
      'For text about six times, then a full one. With pictures every second page.',
      'Use the slower waveform for the last partial one, that cleans up most of it.',
    ],
    [
      'What is the best format for technical books, really?',
      'PDF if the author made it for paper, EPUB if not. There is no third truth.',
      'EPUB with the formulas as SVG. Rare, and lovely.',
    ],
    [
      'How do you sync the reading position without an account?',
      'There is a sync server for KOReader that one can host. Ten minutes, no account but your own.',
      'I remember the page number. It is good for me.',
    ],
    [
      'Is there a reader with page keys that is still made?',
      'PocketBook still makes them, and the bigger Kobo has two.',
      'Buy an old one. They are everywhere and the battery can be changed.',
    ],
    [
      'Do matte protectors make the text softer?',
      'A little, yes. On e-ink I would not, the surface is matte already.',
      'Softer, and in the sun it is worth it.',
    ],
    [
      'How do I crop the margins of a whole PDF at once?',
      'k2pdfopt with the trim mode. It looks at every page by itself.',
      'pdfcrop from TeX Live does it in one line. Odd and even pages apart if it is a book.',
    ],
  ],
  comments: [
    'Crop the margins, rotate, half a page at a time. It is the only way to read two columns.',
    'Reflow works for prose and murders formulas. I keep both versions.',
    'Full refresh every six pages is where I ended. You stop seeing it.',
    'Mine shows the bus times in the hall. Four updates an hour, one charge a month.',
    'The battery swap is easy if you warm the back a little. Do not pull, slide.',
    'Load it over USB, from a folder, like an animal. It has never failed.',
    'There is a small server for reading positions that you can run yourself. It does one thing and it is fine.',
    'Serif, slightly bold, generous leading. It makes more of a difference than the resolution.',
    'The old ones with keys are still the best for reading in bed. I own three, for parts.',
    'For a terminal, choose a mode with only black and white. Grey is what makes it slow.',
    'A hard case. The glass under the film is thinner than you think.',
    'I print the feeds into one file as well. Since then I read them instead of checking them.',
    'Waveforms are the black magic here. Take the ones from the original firmware if you can.',
    'Put the thing in flight mode and the shop disappears. It is a different device.',
  ],
  links: ['https://koreader.rocks/', 'https://calibre-ebook.com/', 'https://example.org/eink/panels'],
  pictures: ['terminal', 'circuit'],
}

const solder: Topic = {
  boards: ['hardware'],
  slots: {
    iron: [
      'a USB-C iron',
      'a forty-year-old station',
      'a cheap clone',
      'a gas iron',
      'a hot plate from the kitchen shop',
    ],
    part: ['QFN packages', '0402 parts', 'USB-C connectors', 'through-hole sockets', 'a ribbon cable'],
  },
  threads: [
    [
      '{part} with {iron}: it can be done',
      'Flux, a calm evening and a cheap microscope. Only two of six had to be done again.',
    ],
    [
      'What was your best twenty euro on the bench?',
      'Mine was brass wool and decent flux. I had suffered for years for no reason.',
    ],
    [
      '{iron}: still worth buying?',
      'Mine does everything but big ground planes. I am looking for a reason to spend more.',
    ],
    ['Leaded or not, at home', 'I have used up the old reel and stand in front of the shelf again.'],
    ['Show your ugly repairs', 'A bodge wire across the whole board, held with nail varnish. It has run since March.'],
    ['Learning {part}: practice boards?', 'I have ruined three real ones. Is there something cheaper to be bad at?'],
    [
      'Fume extraction for small rooms',
      'A fan with a filter does little, I think. The window is right there, but it is November.',
    ],
    [
      'Desoldering {part} without lifting pads',
      'Low-melt alloy, hot air, or patience? I have the second and am short of the third.',
    ],
    [
      'First board of my own came back from the fab',
      'Five of them, violet, and only one mistake that I know of. The mistake is the footprint of {part}.',
    ],
    ['Tools you made yourself', 'A spring, a clothes peg and two needles: the best probe holder I have owned.'],
    ['How do you sort resistors', 'Drawers by value, bags by series, or one big jar and a meter? I am at the jar.'],
    ['Kids and irons: from what age?', 'Mine is eight and asks each week. {iron} stays on the high shelf so far.'],
  ],
  details: [
    'Tool is {iron}, tip is a small bevel.',
    'Magnification is a phone on a stand.',
    'It is a hobby, so slow is fine.',
    'The board is double sided, with a big ground pour.',
    'My hands are steady until about ten in the evening.',
  ],
  questions: [
    [
      'How do I clean flux that has turned to stone?',
      'Warm alcohol, a stiff brush, and leave it wet for ten minutes first.',
      'Put fresh flux on and heat it. The old one dissolves in the new.',
    ],
    [
      'What temperature do you use for thick ground pins?',
      'The same 350, but with the biggest tip I have and the board preheated.',
      '380 and patience. If it takes longer than five seconds you need preheat, not heat.',
    ],
    [
      'Is a kitchen hot plate good enough for reflow?',
      'Yes, with a sheet of aluminium on it and a thermocouple under the board. Not in the kitchen, though.',
      'I have done thirty boards on one. Switch it off at the peak, slide them off slowly.',
    ],
    [
      'Does solder wick get old?',
      'It does, it oxidises. Dip it in flux and it is as good as new.',
      'Mine was brown and did nothing. Fresh reel, like magic.',
    ],
    [
      'How do you hold tiny boards that do not fit the vice?',
      'Blu-tack on a piece of tile. Cold, heavy, and it holds everything.',
      'Double-sided Kapton on the bench. It comes off without a trace.',
    ],
    [
      'Is there flux that does not need cleaning and really does not?',
      'No-clean is fine where nothing is high impedance. Near a crystal I clean it all the same.',
      'The name is a hope. I wash everything.',
    ],
  ],
  comments: [
    'More flux. Whatever the question was, more flux.',
    'A bigger tip, not a hotter one. It is about heat, not about temperature.',
    'Preheat the board from below to a hundred degrees and the ground plane stops being a problem.',
    'Drag soldering looks like a trick and is a technique. One evening, and you have it.',
    'Tin one pad, place the part, then do the rest. Everything else is acrobatics.',
    'Kapton tape and a weight. My third hand is a jar of coins.',
    'Old phones from the box at the recycling yard. Free, tiny, and nobody minds if you fail.',
    'Isopropanol and a toothbrush, then again with fresh alcohol. The second round is the one that counts.',
    'Leaded for what stays here, the other for what I give away. And I wash my hands.',
    'Add fresh solder before you remove the old. It sounds wrong and it works.',
    'Low-melt alloy is cheating, and I recommend it warmly.',
    'Check the polarity, have tea, check it again.',
    'It held, so it is not ugly. It is industrial.',
    'Clean the tip before you put it away, tin it, switch off. Mine lasts for years that way.',
    'A microscope with a long working distance was the biggest step for me. Bigger than the station.',
  ],
  links: [
    'https://www.kicad.org/',
    'https://example.org/bench/first-tools',
    'https://en.wikipedia.org/wiki/Reflow_soldering',
  ],
  pictures: ['circuit', 'waveform'],
}

const desktop: Topic = {
  boards: ['random'],
  slots: {
    manager: ['sway', 'i3', 'dwm', 'a plain floating desktop', 'niri', 'cwm'],
    font: ['a bitmap font', 'Iosevka', 'Terminus', 'a serif font', 'whatever was there'],
  },
  threads: [
    ['Desktops, November', 'One picture, no wallpaper theft complaints. Mine is {manager}, {font}, nothing else.'],
    ['{manager}: what made you stay', 'I switch every autumn. This year I would like to stop.'],
    ['{font} for everything', 'Terminal, mail, browser. I tried it for a joke, and it is November and I still do.'],
    [
      'Old monitor, 4:3, no regrets',
      'Two of them, twenty years old. Text is where my eyes are, {manager} does not care.',
    ],
    [
      'Fractional scaling: is it peace yet?',
      'Laptop at 1.5, screen at 1. {manager} is fine, three programs are a blur.',
    ],
    ['Which program made you smile this year', 'Mine was a clock. It shows the time and has no settings.'],
    ['One workspace is enough', 'I had ten. For a month now it has been one, with {manager}, and I finish things.'],
    [
      'Light themes: come out of the shade',
      'It began with a sunny window. Now everything is light with {font}, and my head aches less.',
    ],
    [
      'Your notes, how and where',
      'Plain files in one folder, names that begin with the date. I have tried all of the others.',
    ],
    ['Default settings challenge', 'A new user, {manager} as it comes, for a week. On day three I stopped noticing.'],
    ['Clipboard managers: yes or no', 'Mine remembered a password for a year. It was very proud of it.'],
    ['Window titles nobody reads', 'I switched them off in {manager} and gained 22 pixels and some peace.'],
  ],
  details: [
    'It is {manager} with {font}, the rest is default.',
    'Machine is ten years old and does not notice.',
    'I want fewer things that blink.',
    'Config has 80 lines, of which 30 are key bindings.',
  ],
  questions: [
    [
      'Is there a small image viewer that gets colours right?',
      'nsxiv with a build that has lcms. Small and it respects profiles.',
      'imv, since the last release. Before that it did not.',
    ],
    [
      'How do you share one window in a call, and not the whole screen?',
      'The portal asks which one, if the desktop has one. On wlroots it shares the whole screen, so I use a second, empty output.',
      'A nested session for the call. It sounds worse than it is.',
    ],
    [
      'Which editor would you give to somebody who only writes letters?',
      'FocusWriter. It is a page, and it saves.',
      'AbiWord still starts, still does letters, and asks nothing.',
    ],
    [
      'What do you use to lock the screen these days?',
      'swaylock with a plain colour. I do not need a picture to go away.',
      'physlock. It locks everything, the other terminals as well.',
    ],
    [
      'Does anybody have a night light that also works on a second screen?',
      'gammastep with one process per output.',
      'Set it in the monitor itself. Mine has a warm mode on a button.',
    ],
    [
      'How do I find out which program keeps waking the processor?',
      'powertop, second tab. Let it run for a minute and read from the top.',
      'Close half of them and look at the meter. Then half of the rest.',
    ],
  ],
  comments: [
    'Plain files and grep. I have outlived four note programs with it.',
    'No bar, no clock. The time is on the microwave.',
    'I stayed because of the manual page. It is one page, and it is true.',
    'Tiling for work, floating for everything else. Two users on one machine, it is bliss.',
    'Whole numbers for scaling and a bigger font. It is less clever, and everything is sharp.',
    'The 4:3 ones are a joy for text. I would buy a new one if anybody made it.',
    'I tried one workspace for a week, and what I missed was the hiding.',
    'Light by day, dark by night, a cron job between. It took one line.',
    'Fewer key bindings. I use nine, and I know all nine.',
    "powertop will tell you in a minute who wakes it. It was the terminal's blinking cursor here.",
    'Same setup since 2016. It is a tool, I do not repaint the hammer either.',
    'Bitmap fonts at the right size are the sharpest thing there is. At every other size they are a crime.',
    'Posting from a tty, so here is my screenshot: black.',
    'A real serif for mail made me write longer sentences. I am not sure that it is a good thing.',
    'Show the whole config, it is shorter than the screenshot.',
  ],
  links: ['https://swaywm.org/', 'https://suckless.org/', 'https://example.org/desktops/november'],
  pictures: ['terminal', 'flame'],
}

export const desk = [shell, keyboards, readers, solder, desktop]
