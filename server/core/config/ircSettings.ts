import { z } from 'zod'
import { count, flag, matching, optional, type ReadSetting, wholeNumber, withDefault } from './settingTypes.ts'

/** Kinds of announcements, as IRC_CHANNELS names them. */
const IRC_ANNOUNCEMENTS = ['shows', 'tracks', 'threads', 'news'] as const
export type IrcAnnouncement = (typeof IRC_ANNOUNCEMENTS)[number]
type IrcChannel = { name: string; announces: IrcAnnouncement[] }

/** Servers drop a client that joins too many channels at once. */
const MAX_CHANNELS = 20
/** A line of 512 bytes also has the channel's name in it. */
const CHANNEL = /^[#&][^\s,:\p{Cc}]{1,49}$/u
const NICK = /^[a-z[\]\\`_^{|}][a-z\d[\]\\`_^{|}-]{0,29}$/i

/** Parses channels such as `#radio=shows,tracks #main`. */
const channels = z.string().transform((value, ctx): IrcChannel[] => {
  const parsed = value.trim().split(/\s+/).map(parseChannel)
  const reason = parsed.find((channel) => typeof channel === 'string') ?? findProblem(parsed as IrcChannel[])
  if (reason === undefined) return parsed as IrcChannel[]
  ctx.addIssue({ code: 'custom', message: reason as string })
  return z.NEVER
})

/** @returns the channel, or why it is wrong */
function parseChannel(part: string): IrcChannel | string {
  const [name = '', ...lists] = part.split('=')
  const announces = lists.length === 0 ? [] : lists.join('=').split(',')
  if (!CHANNEL.test(name)) return `must be channels like #radio=shows,tracks, separated by spaces, not ${part}`
  const unknown = announces.find((kind) => !IRC_ANNOUNCEMENTS.includes(kind as IrcAnnouncement))
  if (unknown !== undefined) return `${name} can announce ${IRC_ANNOUNCEMENTS.join(', ')}, not "${unknown}"`
  return { name, announces: [...new Set(announces)] as IrcAnnouncement[] }
}

function findProblem(parsed: IrcChannel[]): string | undefined {
  const names = new Set(parsed.map(({ name }) => name.toLowerCase()))
  if (names.size < parsed.length) return 'names a channel twice'
  return parsed.length > MAX_CHANNELS ? `must be at most ${MAX_CHANNELS} channels` : undefined
}

export type IrcConfig = NonNullable<ReturnType<typeof readIrcConfig>>

/**
 * Returns the settings of the IRC bot, or null if there is no IRC_HOST.
 * @throws Error with one line that names the wrong or missing setting
 */
export function readIrcConfig(read: ReadSetting) {
  const host = read(
    'IRC_HOST',
    matching(/^(?:[a-z\d._-]+|[\da-f:.]*:[\da-f:.]*)$/i, 'must be a host name or an IP address'),
  )
  const nick = read('IRC_NICK', matching(NICK, 'must be a nick of at most 30 characters'))
  const [account, password] = read.pair(
    ['IRC_ACCOUNT', z.string().regex(/^\S{1,100}$/, 'must be an account name without spaces')],
    [
      'IRC_PASSWORD',
      z
        .string()
        .max(300)
        .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
    ],
  )
  const irc = {
    port: read('IRC_PORT', withDefault(wholeNumber(1, 65_535), 6697)),
    tls: read('IRC_TLS', flag(true)),
    account: account && password ? { account, password } : null,
    channels: read('IRC_CHANNELS', optional(channels)) ?? [],
    /** receives the counts of reports and held posts, never content */
    staffChannel: read('IRC_STAFF_CHANNEL', matching(CHANNEL, 'must be a channel like #main')) ?? null,
    /** A shorter time would flood channels when tracks are short. */
    trackSeconds: read('IRC_TRACK_SECONDS', count(60, 10)),
  }
  if (!host) return null
  if (!nick) throw new Error('Setting IRC_NICK is missing: it is required with IRC_HOST')
  if (irc.channels.length > 0 || irc.staffChannel) return { host, nick, ...irc }
  throw new Error(
    'Setting IRC_CHANNELS is missing: with IRC_HOST, at least one channel or IRC_STAFF_CHANNEL is required',
  )
}
