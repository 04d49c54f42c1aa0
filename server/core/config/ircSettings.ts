import { z } from 'zod'
import { count, flag, optional, wholeNumber, withDefault } from './settingTypes.ts'

/** Kinds of announcements, as IRC_CHANNELS names them. */
const IRC_ANNOUNCEMENTS = ['shows', 'tracks', 'threads', 'news'] as const
export type IrcAnnouncement = (typeof IRC_ANNOUNCEMENTS)[number]
export type IrcChannel = { name: string; announces: IrcAnnouncement[] }

/** Servers drop a client that joins too many channels at once. */
const MAX_CHANNELS = 20
/** A line of 512 bytes also has the channel's name in it. */
const CHANNEL = /^[#&][^\s,:\p{Cc}]{1,49}$/u
const NICK = /^[a-z[\]\\`_^{|}][a-z\d[\]\\`_^{|}-]{0,29}$/i

const channelName = z.string().regex(CHANNEL, 'must be a channel like #main')

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

/** The settings of the IRC bot. */
export const ircEnvironment = {
  IRC_HOST: optional(
    z.string().regex(/^(?:[a-z\d._-]+|[\da-f:.]*:[\da-f:.]*)$/i, 'must be a host name or an IP address'),
  ),
  IRC_PORT: withDefault(wholeNumber(1, 65_535), 6697),
  IRC_TLS: flag(true),
  IRC_NICK: optional(z.string().regex(NICK, 'must be a nick of at most 30 characters')),
  IRC_ACCOUNT: optional(z.string().regex(/^\S{1,100}$/, 'must be an account name without spaces')),
  IRC_PASSWORD: optional(
    z
      .string()
      .max(300)
      .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  ),
  IRC_CHANNELS: optional(channels),
  IRC_STAFF_CHANNEL: optional(channelName),
  /** A shorter time would flood channels when tracks are short. */
  IRC_TRACK_SECONDS: count(60, 10),
}

type IrcEnvironment = z.output<z.ZodObject<typeof ircEnvironment>>

export type IrcConfig = NonNullable<ReturnType<typeof readIrcConfig>>

/**
 * Returns the settings of the bot, or null if there is no IRC_HOST.
 * @throws Error with one line that names the missing setting
 */
export function readIrcConfig(value: IrcEnvironment) {
  if (Boolean(value.IRC_ACCOUNT) !== Boolean(value.IRC_PASSWORD)) {
    throw new Error('Settings IRC_ACCOUNT and IRC_PASSWORD go together: one of them is missing')
  }
  if (!value.IRC_HOST) return null
  if (!value.IRC_NICK) throw new Error('Setting IRC_NICK is missing: it is required with IRC_HOST')
  if (!value.IRC_CHANNELS && !value.IRC_STAFF_CHANNEL) {
    throw new Error(
      'Setting IRC_CHANNELS is missing: with IRC_HOST, at least one channel or IRC_STAFF_CHANNEL is required',
    )
  }
  return {
    host: value.IRC_HOST,
    port: value.IRC_PORT,
    tls: value.IRC_TLS,
    nick: value.IRC_NICK,
    account:
      value.IRC_ACCOUNT && value.IRC_PASSWORD ? { account: value.IRC_ACCOUNT, password: value.IRC_PASSWORD } : null,
    channels: value.IRC_CHANNELS ?? [],
    /** receives the counts of reports and held posts, never content */
    staffChannel: value.IRC_STAFF_CHANNEL ?? null,
    trackSeconds: value.IRC_TRACK_SECONDS,
  }
}
