import IrcClient from 'irc-framework/src/client.js'
import type { IrcConfig } from '#server/core/config/ircSettings.ts'
import { BoundedTransport } from './boundedTransport.ts'
import { createChannels } from './channels.ts'
import type { OutgoingLine } from './outgoingQueue.ts'
import { ircTexts } from './texts.ts'
import type { IrcTimes } from './times.ts'

export type IncomingMessage = { nick: string; host: string; text: string; channel: string | null }

/** In seconds. A dead network is noticed within two minutes. */
const PING = { ping_interval: 30, ping_timeout: 90 }
/** Some servers replay earlier messages. The bot does not answer them. */
const MAX_MESSAGE_AGE_MS = 60_000
/** Limits lines with several channels. */
const MAX_JOIN_BYTES = 400

type Deps = {
  config: Pick<IrcConfig, 'host' | 'port' | 'tls' | 'nick' | 'account'>
  channels: string[]
  onMessage: (message: IncomingMessage) => void
  /** the bot is online, or has joined a channel */
  onReady: () => void
  onFault: (error: unknown) => void
  now: () => Date
  /** in ms */
  clock: () => number
  times: IrcTimes['connection']
}

export type IrcConnection = ReturnType<typeof openConnection>

// biome-ignore lint/suspicious/noExplicitAny: the library's events have no types
type Event = any

/** Opens a connection and keeps nick and channels until it closes. It does not reconnect. */
export function openConnection({ config, onMessage, onReady, onFault, now, clock, times, ...deps }: Deps) {
  const client = new IrcClient()
  const channels = createChannels(deps.channels, clock, times.channels)
  let onlineAt: number | null = null
  let isLoggedIn = false
  let isBotMode = false
  let nickAttempt = 0
  let regainAt = 0
  let reason = 'the connection was closed'

  const isOwn = (nick: unknown) => typeof nick === 'string' && client.caseCompare(nick, client.user.nick)
  const isWanted = (nick: unknown) => typeof nick === 'string' && client.caseCompare(nick, config.nick)
  const destroy = (cause: string) => {
    reason = cause
    client.connection.end(null, true)
  }

  function regainNick(): void {
    if (onlineAt === null || isOwn(config.nick)) return
    regainAt = clock() + times.regain
    client.raw('NICK', config.nick)
  }

  function joinDueChannels(): void {
    let names = ''
    for (const name of channels.takeDue()) {
      if (names !== '' && Buffer.byteLength(`${names},${name}`) > MAX_JOIN_BYTES) {
        client.raw('JOIN', names)
        names = ''
      }
      names = names === '' ? name : `${names},${name}`
    }
    if (names !== '') client.raw('JOIN', names)
  }

  function chooseOtherNick(): void {
    if (onlineAt !== null) return
    const nick = nickForAttempt(config.nick, ++nickAttempt)
    if (nick === null) destroy('the server accepts none of the nicks')
    else client.raw('NICK', nick)
  }

  function receive(event: Event): void {
    const { nick, hostname, target, message, time, tags = {} } = event
    // Answers to servers, to itself or to other bots could go round in circles.
    const isBot = 'bot' in tags || 'draft/bot' in tags
    if (!nick || isBot || isOwn(nick)) return
    if (time && now().getTime() - time > MAX_MESSAGE_AGE_MS) return
    if (isOwn(target)) onMessage({ nick, host: hostname, text: message, channel: null })
    else if (channels.isJoined(target)) onMessage({ nick, host: hostname, text: message, channel: target })
  }

  client.use((_client, raw) => {
    raw.use((command, _message, _line, _again, next) => {
      // Without the start of a batch, the library drops its lines. A batch without an end would be collected forever.
      if (command === 'BATCH') return
      try {
        next()
      } catch (error) {
        onFault(error)
      }
    })
  })
  client.on('broken line', onFault)
  client.on('loggedin', () => {
    isLoggedIn = true
  })
  client.on('sasl failed', (event: Event) => {
    reason = `the server refused IRC_ACCOUNT (${event.reason})`
  })
  client.on('nick in use', chooseOtherNick)
  client.on('nick invalid', chooseOtherNick)
  client.on('registered', () => {
    if (config.account && !isLoggedIn) return destroy('the server does not offer SASL')
    onlineAt = clock()
    regainAt = onlineAt + times.regain
    joinDueChannels()
    onReady()
  })
  client.on('server options', () => {
    const mode = client.network.options.BOT
    if (isBotMode || typeof mode !== 'string' || !/^[a-z]$/i.test(mode)) return
    isBotMode = true
    client.raw('MODE', client.user.nick, `+${mode}`)
  })
  client.on('join', (event: Event) => {
    if (!isOwn(event.nick)) return
    channels.markJoined(String(event.channel))
    onReady()
  })
  client.on('kick', (event: Event) => isOwn(event.kicked) && channels.markLeft(String(event.channel)))
  client.on('part', (event: Event) => isOwn(event.nick) && channels.markLeft(String(event.channel)))
  client.on('quit', (event: Event) => isWanted(event.nick) && regainNick())
  client.on('nick', (event: Event) => isWanted(event.nick) && regainNick())
  client.on('privmsg', receive)
  client.on('ping timeout', () => {
    reason = 'the server does not answer'
  })
  client.on('irc error', (event: Event) => {
    if (event.error === 'irc') reason = `the server closed the connection: ${event.reason}`
  })
  client.on('socket close', (error: unknown) => {
    if (error instanceof Error) reason = error.message
  })

  const closed = new Promise<{ onlineMs: number; reason: string }>((resolve) => {
    client.on('close', () => {
      clearInterval(ticking)
      clearTimeout(registration)
      resolve({ onlineMs: onlineAt === null ? 0 : clock() - onlineAt, reason })
      onlineAt = null
    })
  })
  const ticking = setInterval(() => {
    if (onlineAt === null) return
    joinDueChannels()
    if (clock() >= regainAt) regainNick()
  }, times.tick).unref()
  const registration = setTimeout(
    () => onlineAt === null && destroy('the server did not accept the bot in time'),
    times.register,
  ).unref()

  client.connect({
    ...{ host: config.host, port: config.port, tls: config.tls, rejectUnauthorized: true },
    ...{ nick: config.nick, username: 'site', gecos: config.nick },
    // The library would answer each CTCP VERSION at once, without a limit.
    version: '',
    ...(config.account && { account: config.account }),
    sasl_disconnect_on_fail: true,
    auto_reconnect: false,
    ...PING,
    transport: BoundedTransport,
  })

  return {
    isOnline: () => onlineAt !== null,
    isReady: (target: string) => onlineAt !== null && (/^[#&]/.test(target) ? channels.isJoined(target) : true),
    send: ({ command, target, text }: OutgoingLine) => client.raw(command, target, text),
    quit() {
      const timer = setTimeout(() => destroy('the site closes'), times.quit)
      closed.then(() => clearTimeout(timer))
      client.quit(ircTexts.quit)
    },
    /** never rejects */
    closed,
  }
}

const MAX_TRIES = 8
/** Tries after which random digits replace the underscores. */
const UNDERSCORES = 3
const MAX_LENGTH = 30

/** Returns the nick for an attempt, or null after the last one: without a nick, the server waits forever. */
export function nickForAttempt(wanted: string, attempt: number, random: () => number = Math.random): string | null {
  if (attempt >= MAX_TRIES) return null
  const suffix = attempt <= UNDERSCORES ? '_'.repeat(attempt) : `_${100 + Math.floor(random() * 900)}`
  return wanted.slice(0, MAX_LENGTH - suffix.length) + suffix
}
