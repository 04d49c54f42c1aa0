import type { Site } from '#src/contract/site.ts'

/** The clients we explain: where to get each, and the lines that connect it. */
export const ircClients = [
  {
    name: 'WeeChat',
    download: 'https://weechat.org/download/',
    commands: ({ name, irc: { host, port, channels } }: Site) =>
      `/server add ${short(name)} ${host}/${port} -tls\n/connect ${short(name)}\n/join ${channels.main},${channels.radio}`,
  },
  {
    name: 'irssi',
    download: 'https://irssi.org/download/',
    commands: ({ name, irc: { host, port } }: Site) =>
      `/network add ${short(name)}\n/server add -tls -network ${short(name)} ${host} ${port}\n/connect ${short(name)}`,
  },
  {
    name: 'HexChat',
    download: 'https://hexchat.github.io/downloads.html',
    commands: ({ irc: { host, port, channels } }: Site) =>
      `/server -ssl ${host} ${port}\n/join ${channels.main}\n/join ${channels.radio}`,
  },
]

/** A network's name as clients take it: one word. */
const short = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '') || 'irc'
