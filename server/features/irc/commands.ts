import type { IrcConfig } from '#server/core/config/ircSettings.ts'
import type { Rate } from '#server/core/config/settingTypes.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { bucketSize } from '#server/core/limits/rateLimits.ts'
import { createMemoryBuckets } from '#server/core/limits/tokenBuckets.ts'
import { describeCurrentTrack, describeNextShow, describeThread, describeTrackToKeep } from './answers.ts'
import { cleanAndCut, cleanText } from './cleanText.ts'
import type { IncomingMessage } from './connection.ts'
import type { OutgoingLine } from './outgoingQueue.ts'
import { IRC_COMMANDS, type IrcCommand, ircLimits, ircTexts } from './texts.ts'

/**
 * Requests the track that matches the words best.
 * @param requester identifies the IRC user, for limits
 * @throws AppError with a message that can be shown
 */
export type SongRequester = (words: string, requester: string) => Promise<{ artist: string; title: string }>

type Deps = {
  services: Services
  config: Pick<IrcConfig, 'host'>
  requestSong: SongRequester | null
  push: (line: OutgoingLine) => void
  /** in ms */
  clock: () => number
}

/** Limits the answers to one host, and in one channel. Private messages of all hosts share a limit. */
const PER_HOST: Rate = { burst: 3, everySeconds: 10 }
const PER_CHANNEL: Rate = { burst: 5, everySeconds: 5 }
/** Limits memory. */
const MAX_BUCKETS = 2000
const PRIVATE = 'private'
/** Lines have at most 512 bytes without tags. */
const MAX_MESSAGE_LENGTH = 512

/** @returns null for a text that is not a command of the bot */
export function parseCommand(text: string): { command: IrcCommand; words: string } | null {
  const [, name = '', words = ''] = /^!([a-z]+)(?: (.*))?$/i.exec(cleanText(text.slice(0, MAX_MESSAGE_LENGTH))) ?? []
  const command = IRC_COMMANDS.find((one) => one === name.toLowerCase())
  return command ? { command, words: words.trim() } : null
}

/** Nicks come from the server and become targets of lines. */
const isNick = (nick: string) => /^[^\s,:@!#&*?]{1,64}$/.test(nick) && !/\p{Cc}/u.test(nick)

/**
 * Answers commands. Public answers go to the channel; other answers, and all answers to private messages, are notices,
 * which programs never answer. Messages beyond a limit get no answer, so that people cannot make the bot flood.
 */
export function createCommands({ services, config, requestSong, push, clock }: Deps) {
  const buckets = createMemoryBuckets({ maxKeys: MAX_BUCKETS, clock })

  async function describe(command: IrcCommand, words: string, host: string): Promise<string> {
    if (command === 'np') return describeCurrentTrack(services)
    if (command === 'next') return describeNextShow(services)
    if (command === 'fave') return describeTrackToKeep(services)
    if (command === 'thread') return describeThread(services)
    return command === 'request' ? request(words, host) : ircTexts.help
  }

  async function request(words: string, host: string): Promise<string> {
    if (!requestSong) return ircTexts.requestsOff
    if (words === '') return ircTexts.requestUsage
    const { artist, title } = await requestSong(words.slice(0, ircLimits.words), `${config.host} ${host}`)
    return ircTexts.requested({
      artist: cleanAndCut(artist, ircLimits.title / 2),
      title: cleanAndCut(title, ircLimits.title),
    })
  }

  async function answer({ nick, host, channel }: IncomingMessage, command: IrcCommand, words: string): Promise<void> {
    const isPublic = channel !== null && PUBLIC.includes(command)
    let text: string
    try {
      text = await describe(command, words, host)
    } catch (error) {
      const isRefusal = error instanceof AppError
      if (!isRefusal) services.log.error({ err: error, command }, 'a command on IRC failed')
      text = isRefusal ? error.message : ircTexts.failed
    }
    const target = isPublic ? channel : nick
    push({ command: isPublic ? 'PRIVMSG' : 'NOTICE', target, text, priority: 'answer' })
  }

  return (message: IncomingMessage): void => {
    const parsed = parseCommand(message.text)
    if (!parsed || !isNick(message.nick)) return
    const place = message.channel?.toLowerCase() ?? PRIVATE
    const empty = buckets.take([
      { key: `host ${message.host}`, ...bucketSize(PER_HOST, 1) },
      { key: `place ${place}`, ...bucketSize(PER_CHANNEL, 1) },
    ])
    if (empty) return
    void answer(message, parsed.command, parsed.words)
  }
}

/** The answers that a whole channel reads. */
const PUBLIC: readonly IrcCommand[] = ['np', 'next', 'thread']
