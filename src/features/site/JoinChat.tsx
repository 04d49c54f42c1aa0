import { ArrowUpRight } from 'lucide-react'
import type { SiteFacts } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from '#src/ui/site.ts'

export function JoinChat() {
  const { chatUrl } = useSite()
  if (chatUrl === null) return null
  return (
    <ButtonLink variant="primary" size="big" href={chatUrl} target="_blank" rel="noopener">
      {t('site.joinChat')}
      <ArrowUpRight className="icon" />
      <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
    </ButtonLink>
  )
}

/** The client joins these channels once it is connected. A `/join` command would run too early and fail. */
export const ircClients = [
  {
    name: 'WeeChat',
    download: 'https://weechat.org/download/',
    commands: ({ name, irc: { host, port, channels } }: SiteFacts) =>
      `/server add ${short(name)} ${host}/${port} -tls\n` +
      `/set irc.server.${short(name)}.autojoin "${channels.main},${channels.radio}"\n/connect ${short(name)}`,
  },
  {
    name: 'irssi',
    download: 'https://irssi.org/download/',
    commands: ({ name, irc: { host, port, channels } }: SiteFacts) =>
      `/network add ${short(name)}\n/server add -tls -network ${short(name)} ${host} ${port}\n` +
      `/channel add -auto ${channels.main} ${short(name)}\n/connect ${short(name)}`,
  },
  {
    name: 'HexChat',
    download: 'https://hexchat.github.io/downloads.html',
    commands: ({ irc: { host, port, channels } }: SiteFacts) => `/servchan -ssl ${host} ${port} ${channels.main}`,
  },
]

/** Shortens the site name to one word, because IRC clients require this for network names. */
const short = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '') || 'irc'

export const channelUrl = ({ host, port }: SiteFacts['irc'], channel: string) =>
  `ircs://${host}:${port}/${encodeURIComponent(channel)}`
