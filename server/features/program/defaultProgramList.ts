import type { ProgramCategory } from '#src/contract/program.ts'

type Entry = { name: string; link: string; category: ProgramCategory; description: string }

/** What a new site begins with: free programs over all categories, in the order of their names. */
export const firstList: Entry[] = [
  {
    name: 'age',
    link: 'https://github.com/FiloSottile/age',
    category: 'Security',
    description: 'Encrypts files and pipes with one short command. Small keys, no options to get wrong.',
  },
  {
    name: 'Anki',
    link: 'https://apps.ankiweb.net/',
    category: 'Productivity',
    description: 'Flashcards that come back just before you forget them. Call signs, kanji, port numbers, anything.',
  },
  {
    name: 'Audacity',
    link: 'https://www.audacityteam.org/',
    category: 'Media',
    description: 'Records and edits sound on several tracks. Cut, clean and level a show before it goes on air.',
  },
  {
    name: 'Blender',
    link: 'https://www.blender.org/',
    category: 'Media',
    description: 'Modelling, animation, rendering and video editing in one program that studios use as it is.',
  },
  {
    name: 'BorgBackup',
    link: 'https://www.borgbackup.org/',
    category: 'Storage',
    description:
      'Backups that store each block once, compressed and encrypted. Daily ones for years fit on a modest disk.',
  },
  {
    name: 'curl',
    link: 'https://curl.se/',
    category: 'Networking',
    description: 'Moves data to and from a URL over nearly every protocol there is, and shows every header on the way.',
  },
  {
    name: 'Element',
    link: 'https://element.io/',
    category: 'Communication',
    description: 'A Matrix client with end-to-end encrypted rooms, on a server of your choice or your own.',
  },
  {
    name: 'Ghidra',
    link: 'https://github.com/NationalSecurityAgency/ghidra',
    category: 'Security',
    description: 'Takes a binary apart and shows it as C. Many processors, scripts, undo, and a lot of patience.',
  },
  {
    name: 'Git',
    link: 'https://git-scm.com/',
    category: 'Development',
    description: 'Remembers every version of your files and who changed what. Branches cost nothing, so make them.',
  },
  {
    name: 'GNU Radio',
    link: 'https://www.gnuradio.org/',
    category: 'Other',
    description: 'Build a receiver out of blocks, then find out which block was lying to you. Needs a cheap dongle.',
  },
  {
    name: 'Godot',
    link: 'https://godotengine.org/',
    category: 'Development',
    description: 'A game engine for 2D and 3D whose editor is a small download. No account, no royalties.',
  },
  {
    name: 'GParted',
    link: 'https://gparted.org/',
    category: 'Storage',
    description:
      'Resizes, moves and copies partitions without losing what is on them. Also as a live system on a stick.',
  },
  {
    name: 'Helix',
    link: 'https://helix-editor.com/',
    category: 'Development',
    description:
      'A modal editor for the terminal: select first, then act. Language servers work without a plugin hunt.',
  },
  {
    name: 'htop',
    link: 'https://htop.dev/',
    category: 'System Tools',
    description: 'Shows what the machine is doing right now, as a tree if you like, and lets you stop it.',
  },
  {
    name: 'Joplin',
    link: 'https://joplinapp.org/',
    category: 'Productivity',
    description: 'Notes and to-do lists in Markdown, synchronised over storage you already have, encrypted on the way.',
  },
  {
    name: 'KeePassXC',
    link: 'https://keepassxc.org/',
    category: 'Security',
    description: 'Passwords in one encrypted file that stays with you. Fills in browsers and holds SSH keys.',
  },
  {
    name: 'KiCad',
    link: 'https://www.kicad.org/',
    category: 'Other',
    description: 'From schematic to circuit board to the files a factory wants, with a 3D view of what you will get.',
  },
  {
    name: 'Kiwix',
    link: 'https://kiwix.org/',
    category: 'Other',
    description: 'All of Wikipedia, or a handbook of first aid, on a disk you can read when the line is down.',
  },
  {
    name: 'LibreOffice',
    link: 'https://www.libreoffice.org/',
    category: 'Productivity',
    description: 'Text, sheets, slides and drawings in an open format. Opens the files other people send you, too.',
  },
  {
    name: 'mpv',
    link: 'https://mpv.io/',
    category: 'Media',
    description:
      'Plays whatever you hand it, from files or streams, with the keyboard. Nothing in front of the picture.',
  },
  {
    name: 'mtr',
    link: 'https://www.bitwizard.nl/mtr/',
    category: 'Networking',
    description: 'Traceroute and ping on one screen. Shows at which hop the packets really get lost.',
  },
  {
    name: 'Mumble',
    link: 'https://www.mumble.info/',
    category: 'Communication',
    description: 'Voice chat with very little delay on a server you run yourself. Encrypted, light on old machines.',
  },
  {
    name: 'Neovim',
    link: 'https://neovim.io/',
    category: 'Development',
    description: 'Vim, carried further: Lua for its settings, language servers and a syntax tree built in.',
  },
  {
    name: 'Nmap',
    link: 'https://nmap.org/',
    category: 'Networking',
    description: 'Finds the hosts on a network, the ports they keep open and what answers there. Ask before you scan.',
  },
  {
    name: 'OBS Studio',
    link: 'https://obsproject.com/',
    category: 'Media',
    description: 'Records and streams screens, cameras and sound, with scenes to switch between while you are live.',
  },
  {
    name: 'Pandoc',
    link: 'https://pandoc.org/',
    category: 'Productivity',
    description: 'Turns documents of one kind into another: Markdown to PDF, Word to HTML, and dozens more.',
  },
  {
    name: 'QEMU',
    link: 'https://www.qemu.org/',
    category: 'System Tools',
    description: 'Runs whole machines inside yours: near full speed for your own processor, emulated for the others.',
  },
  {
    name: 'rclone',
    link: 'https://rclone.org/',
    category: 'Storage',
    description: 'Copies, synchronises and mounts files on dozens of cloud stores, and can encrypt them first.',
  },
  {
    name: 'ripgrep',
    link: 'https://github.com/BurntSushi/ripgrep',
    category: 'System Tools',
    description: 'Searches a tree of files for a pattern faster than you can name the folder. Respects .gitignore.',
  },
  {
    name: 'Signal',
    link: 'https://signal.org/',
    category: 'Communication',
    description: 'Messages and calls that only the two ends can read. The one to put on the phones of your family.',
  },
  {
    name: 'Syncthing',
    link: 'https://syncthing.net/',
    category: 'Storage',
    description: 'Keeps folders the same on your own machines, directly and encrypted, with no cloud in between.',
  },
  {
    name: 'tmux',
    link: 'https://github.com/tmux/tmux/wiki',
    category: 'System Tools',
    description: 'Splits a terminal into windows and panes that go on running when the connection drops.',
  },
  {
    name: 'Tor Browser',
    link: 'https://www.torproject.org/',
    category: 'Security',
    description:
      'Reads the web through three relays, so that sites do not learn where you are and all users look alike.',
  },
  {
    name: 'WeeChat',
    link: 'https://weechat.org/',
    category: 'Communication',
    description: 'An IRC client for the terminal: light, fast, scriptable, and at home inside tmux for years on end.',
  },
  {
    name: 'WireGuard',
    link: 'https://www.wireguard.com/',
    category: 'Networking',
    description: 'A VPN of a few thousand lines with modern cryptography. Two keys, one file, and the tunnel stands.',
  },
  {
    name: 'Wireshark',
    link: 'https://www.wireshark.org/',
    category: 'Networking',
    description: 'When two machines disagree about what was said, this is the transcript: every packet, taken apart.',
  },
]
