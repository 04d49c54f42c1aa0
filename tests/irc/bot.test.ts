import tls from 'node:tls'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { article, broadcast, feed, job, post, show, streamer, thread, user } from '#db/schema/index.ts'
import { readConfig } from '#server/core/config/config.ts'
import type { IrcConfig } from '#server/core/config/ircSettings.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import type { JobTimes } from '#server/core/jobs/lease.ts'
import { createIrc, startIrc } from '#server/features/irc/bot.ts'
import { IRC_TIMES, type IrcTimes } from '#server/features/irc/times.ts'
import { alertModerators } from '#server/features/moderation/alerts/moderatorAlerts.ts'
import type { Change, StoredTopic } from '#src/contract/events.ts'
import { type NowPlaying, UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { until } from '#tests/helpers/icecast.ts'
import { ACCOUNT, type IrcPerson, type IrcServer, startIrcServer } from '#tests/helpers/ircServer.ts'
import { sendOutbox } from '#tests/helpers/outbox.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const programs = inject('irc')
const NICK = 'dtpbot'
const SITE = 'https://site.example'
const METRICS_TOKEN = 'only-for-these-tests'
/** In seconds. */
const LEASE: JobTimes = { lease: 45, maxRun: null, grace: 5, poll: 0.2 }
/** In ms, except for the rate of the lines. */
const TIMES: IrcTimes = {
  reconnect: { first: 100, max: 400, stable: 60_000 },
  connection: {
    ...{ register: 10_000, regain: 300, quit: 700, tick: 50 },
    channels: { retry: 300, maxRetry: 600, afterKick: [200, 200] },
  },
  announcements: { show: 50, threads: 50, threadWindow: 2000, news: 50, newsInterval: 100 },
  lines: { burst: 20, everySeconds: 0.02 },
}
/** Colours, a CTCP, a command of the protocol, bold, and a reversed direction. */
const HOSTILE = 'red \x0304,1alert\x0f \x01VERSION\x01\r\nQUIT :gone\x02 \u202edne'

let server: IrcServer
let site: TestSite
let services: Services
let runner: { close: () => Promise<void> }
let listener: IrcPerson
const requestSong = vi.fn(async (words: string) => {
  if (words === 'nothing') throw errors.notFound(refusal('radio.requestNoMatch'))
  return { artist: 'Artist', title: words }
})

beforeAll(async () => {
  if (!programs) return
  server = await startIrcServer(programs)
  const connect = tls.connect as (options: tls.ConnectionOptions) => tls.TLSSocket
  vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) =>
    connect({ ...options, ca: trusted })) as typeof tls.connect)
  trusted = server.certificate
  const env = {
    ...{ SITE_URL: SITE, IRC_HOST: 'localhost', IRC_PORT: String(server.tlsPort), IRC_NICK: NICK },
    ...{ IRC_ACCOUNT: ACCOUNT.account, IRC_PASSWORD: ACCOUNT.password, IRC_STAFF_CHANNEL: '#staff' },
    ...{ IRC_CHANNELS: '#radio=shows,tracks #main=threads,news', METRICS_TOKEN },
  }
  const config = { ...(readConfig(env).irc as IrcConfig), trackSeconds: 1 }
  site = await startSite(env, { irc: { config, times: TIMES, requestSong } })
  services = site.app.services
  listener = await server.join('listener', ['#radio', '#main', '#staff'])
  // Tracks of the music take too long.
  const { follow } = services.radio
  vi.spyOn(services.radio, 'follow').mockImplementation((stationId, follower) => {
    tellTrack = follower
    return follow(stationId, follower)
  })
  runner = startIrc(services, LEASE)
  for (const channel of ['#radio', '#main', '#staff']) await joined(channel)
})
let trusted: string | undefined
afterEach(async () => {
  if (programs) await until(() => services.irc.state() === 'online')
})
afterAll(async () => {
  vi.restoreAllMocks()
  await runner?.close()
  await site?.close()
  await server?.close()
})

const joined = (channel: string) => until(async () => (await names(channel)).includes(NICK))

async function names(channel: string): Promise<string[]> {
  listener.send(`NAMES ${channel}`)
  const line = await listener.find(new RegExp(` 353 .* ${channel} :`))
  return (line.split(' :')[1] ?? '').split(' ').map((nick) => nick.replace(/^[@+]/, ''))
}

/** Waits for a line of the bot in a channel and returns its text. */
async function said(channel: string, pattern: RegExp): Promise<string> {
  const line = await listener.find(new RegExp(`^:${NICK}\\S*!\\S+ PRIVMSG ${channel} :.*${pattern.source}`))
  return line.slice(line.indexOf(' :') + 2)
}

const publishChange = (topic: StoredTopic, change: Change) =>
  services.db.transaction((tx) => publish(tx, services.now(), [{ topic, change }]))

async function startBroadcast(values: Partial<typeof broadcast.$inferInsert> = {}): Promise<number> {
  const now = services.now()
  const row = { stationId: 1, streamerName: 'Nadia', title: 'Night shift', startedAt: now, type: 'audio/mpeg' }
  const [{ id } = { id: 0 }] = await services.db
    .insert(broadcast)
    .values({ ...row, ...values })
    .returning({ id: broadcast.id })
  await publishChange('shows', { kind: 'broadcast', broadcastId: id })
  return id
}

const endBroadcast = async (broadcastId: number) => {
  await services.db.execute(sql`update broadcast set ended_at = now() where id = ${broadcastId}`)
  await publishChange('shows', { kind: 'broadcast', broadcastId })
}

const play = (artist: string, title: string, streamer = '') =>
  tellTrack({
    ...{ ...UNKNOWN_NOW_PLAYING, song: { artist, title, album: '', art: null } },
    live: { isLive: streamer !== '', streamer },
  })
let tellTrack: (nowPlaying: NowPlaying) => void = () => {}

const silentEvents = { subscribe: () => () => {}, onReconnect: () => () => {} }
const ownConfig = () => services.config.irc as IrcConfig
/** Creates the dependencies of another bot. */
const deps = () => ({ events: silentEvents, log: services.log, now: services.now, times: TIMES })

describe.skipIf(!programs)('the bot on a real IRC network', () => {
  test('connects with TLS, logs in to its account, and is marked as a bot', async () => {
    listener.send(`WHOIS ${NICK}`)
    await listener.find(new RegExp(` 330 listener ${NICK} ${ACCOUNT.account} `))
    await listener.find(new RegExp(` 335 listener ${NICK} :is a bot`))
    await listener.find(new RegExp(` 671 listener ${NICK} `))
    expect(JSON.parse((await site.app.inject('/readyz')).body)).toEqual({ status: 'ok', irc: 'online' })
    const metrics = (await site.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } }))
      .body
    expect(metrics).toContain('site_irc_online 1')
    expect(metrics).toContain('site_irc_connections_total 1')
  })

  test('announces shows once, with the thread, and their end', async () => {
    const board = await createBoard(site, 'Shows', await site.createToken('owner@example.org'))
    const { body } = await postThread(site, board, { title: 'Talk about it' })
    const threadUrl = `${SITE}/dtpchan/board/${board}/thread/${body.thread.id}`
    const id = await startBroadcast({ threadId: body.thread.id })
    expect(await said('#radio', /On air/)).toBe(
      `On air: Night shift with Nadia | listen: ${SITE}/radio | discuss: ${threadUrl}`,
    )
    await publishChange('shows', { kind: 'broadcast', broadcastId: id })
    await endBroadcast(id)
    expect(await said('#radio', /over|On air/)).toBe(`The show is over: Night shift with Nadia | discuss: ${threadUrl}`)
    await startBroadcast({ startedAt: new Date(Date.now() - 3_600_000), title: 'Old' })
    await endBroadcast(await startBroadcast({ title: HOSTILE, streamerName: 'N\x02adia' }))
    expect(await said('#radio', /over/)).toBe('The show is over: red alert VERSION QUIT :gone dne with Nadia')
    expect(listener.lines.join()).not.toContain('Old')
  })

  test('announces tracks of streamers and of the station, not more often than allowed', async () => {
    play('Röyksopp', "It's \x0304what\x03 I want", 'N\x02adia')
    expect(await said('#radio', /Now playing/)).toBe("Now playing: Röyksopp - It's what I want (with Nadia)")
    // Another spelling of the same track.
    play('Röyksopp', 'its what i want', 'Nadia')
    play('Station', 'Too soon')
    play('Röyksopp', 'The newest')
    expect(await said('#radio', /Now playing/)).toBe('Now playing: Röyksopp - The newest')
    expect(listener.lines.filter((line) => line.includes('Now playing'))).toHaveLength(2)
  })

  test('announces new threads with clean titles, and sums up many of them', async () => {
    const board = await createBoard(site, 'Threads', await site.createToken('owner@example.org'))
    const { body } = await postThread(site, board, { title: `a${'𝄞'.repeat(45)} b` })
    expect(body.error).toBeUndefined()
    const text = await said('#main', /New thread/)
    expect(text).toMatch(new RegExp(`^New thread on /${board}/: a𝄞+… \\| ${SITE}/\\S+/thread/${body.thread.id}$`, 'u'))
    const [before, held] = [new Date(Date.now() - 2 * 3_600_000), body.thread.id + 100]
    for (const id of [held, held + 1]) {
      await services.db
        .insert(thread)
        .values({ id, boardId: board, title: `Hours ${id} old ${HOSTILE}`, lastActivity: before })
      await services.db.insert(post).values({ id, threadId: id, author: 'a', content: 'b', createdAt: before })
      const changes: TopicChange[] = [{ topic: `board:${board}`, change: { kind: 'thread', threadId: id } }]
      // Only the second one is published after a review.
      if (id > held) changes.unshift({ topic: `thread:${id}`, change: { kind: 'stale' } })
      await services.db.transaction((tx) => publish(tx, services.now(), changes))
    }
    // The site refuses such titles, but imported threads can have them.
    expect(await said('#main', /Hours/)).toContain(`: Hours ${held + 1} old red alert VERSION QUIT :gone dne | `)
    for (let count = 0; count < 8; count++) await postThread(site, board, { title: `Raid ${count}` })
    expect(await said('#main', /more new thread/)).toMatch(
      /^\d more new threads?: https:\/\/site.example\/dtpchan\/all$/,
    )
    // On a slow machine, the threads are spread over two windows.
    await until(() => {
      const raid = listener.lines.filter((line) => /Raid \d \|/.test(line)).length
      const more = listener.lines.map((line) => Number(/ :(\d+) more new thread/.exec(line)?.[1] ?? 0))
      return raid < 8 && raid + more.reduce((sum, one) => sum + one, 0) === 8
    })
  })

  test('announces new articles on one line', async () => {
    const { db } = services
    const [now, old] = [new Date(), new Date(Date.now() - 3 * 24 * 3_600_000)]
    const feedUrl = 'https://feed.example/'
    const add = (titles: string[], publishedAt: Date) =>
      db.insert(article).values(
        titles.map((title) => {
          const [url, key] = [`https://news.example/${encodeURIComponent(title)}`, title]
          return {
            ...{ feedUrl, guid: key, url, urlKey: key, title, source: 'news.example' },
            publishedAt,
            seenAt: now,
          }
        }),
      )
    await db.insert(feed).values({ url: feedUrl, nextAt: now })
    await add(['Only one'], now)
    await publishChange('news', { kind: 'news' })
    expect(await said('#main', /News/)).toBe('News: Only one (news.example) | https://news.example/Only%20one')
    await add(['Old 1', 'Old 2'], old)
    await add(['A', 'B\x03', 'C', 'D'], now)
    await publishChange('news', { kind: 'news' })
    expect(await said('#main', /articles/)).toBe(`4 new articles: D · C · B | ${SITE}/today-in-tech`)
  })

  test('sends counts of reports and held posts to the staff only', async () => {
    const board = await createBoard(site, 'Alerts', await site.createToken('owner@example.org'))
    await services.db.transaction(async (tx) => {
      await alertModerators(tx, services.now(), { kind: 'report', boardId: board, count: 2 })
      await alertModerators(tx, services.now(), { kind: 'report', boardId: null, count: 1 })
    })
    await sendOutbox(services)
    expect(await said('#staff', /report/)).toBe(`3 new reports: /${board}/ | ${SITE}/admin/queue`)
    expect(listener.lines.filter((line) => /#(main|radio) :.*report/.test(line))).toEqual([])
  })

  test('answers commands, but no notices, no bots and not too often', async () => {
    const { db } = services
    const now = Date.now()
    await site.createToken('dj@example.org')
    const [{ id: userId } = { id: '' }] = await db
      .select({ id: user.id })
      .from(user)
      .where(sql`${user.email} = 'dj@example.org'`)
    const at = { createdAt: new Date(), updatedAt: new Date() }
    await db.insert(streamer).values({ userId, name: 'Mo', passwordHash: Buffer.alloc(32), createdAt: at.createdAt })
    const start = new Date(now + 3 * 24 * 3_600_000).toISOString()
    const timing = { zone: 'UTC', firstDay: start.slice(0, 10), startTime: start.slice(11, 16), minutes: 60 }
    await db.insert(show).values({
      ...{ userId, title: 'Slow \x02hours', description: '', ...timing, isWeekly: true, lastDay: null, ...at },
    })
    vi.spyOn(services.radio, 'nowPlaying').mockResolvedValue({
      ...UNKNOWN_NOW_PLAYING,
      song: { artist: 'Boards', title: HOSTILE, album: '', art: null },
    })

    const asker = await server.join('asker', ['#radio'])
    asker.send('PRIVMSG #radio :!np')
    expect(await said('#radio', /Boards/)).toBe(
      `Now playing: Boards - red alert VERSION QUIT :gone dne | ${SITE}/radio`,
    )
    asker.send('PRIVMSG #radio :!next')
    expect(await said('#radio', /Next/)).toMatch(
      /^Next show: Slow hours with Mo, \w{3},? \d+ \w+,? \d\d:\d\d UTC \(in 3 days\) \| /,
    )
    asker.send('PRIVMSG #radio :!thread')
    expect(await said('#radio', /hread/)).toMatch(new RegExp(`^Latest thread, on /\\S+/: .* \\| ${SITE}/dtpchan/`))
    // The fourth command of a host gets no answer, in any place.
    asker.send('PRIVMSG #radio :!np')
    asker.send(`PRIVMSG ${NICK} :!help`)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(asker.lines.filter((line) => line.includes(`:${NICK}!`) && line.includes(' PRIVMSG '))).toHaveLength(3)
    expect(asker.lines.filter((line) => line.includes(` NOTICE asker `))).toEqual([])
    await asker.leave()
  })

  test('answers privately by notice, and passes on requests and refusals', async () => {
    const answers: string[] = []
    const push = (line: { command: string; target: string; text: string }) =>
      answers.push(`${line.command} ${line.target} ${line.text}`)
    const { createCommands } = await import('#server/features/irc/commands.ts')
    let clock = 0
    const receive = createCommands({ services, config: { host: 'irc.test' }, requestSong, push, clock: () => clock })
    const ask = async (text: string, channel: string | null = null, nick = 'asker') => {
      clock += 60_000
      const before = answers.length
      receive({ nick, host: 'host.test', text, channel })
      await until(() => answers.length > before)
      return answers.at(-1)
    }
    expect(await ask('!fave', '#radio')).toMatch(/^NOTICE asker For you to keep: Boards - /)
    expect(await ask('!REQUEST  blue monday ', '#radio')).toBe('NOTICE asker Requested: Artist - blue monday')
    expect(requestSong).toHaveBeenLastCalledWith('blue monday', 'irc.test host.test')
    expect(await ask('!request nothing')).toBe('NOTICE asker No track matches')
    expect(await ask('!request')).toMatch(/^NOTICE asker Add words/)
    expect(await ask('!help', '#main')).toMatch(/^NOTICE asker !np: /)
    expect(await ask('!np')).toMatch(/^NOTICE asker Now playing/)
    const before = answers.length
    for (const text of ['np', '!nope', '! np', 'hi !np', '!np\x00x', '']) {
      clock += 60_000
      receive({ nick: 'asker', host: 'host.test', text, channel: '#radio' })
    }
    receive({ nick: 'a,#main', host: 'other.test', text: '!np', channel: null })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(answers.slice(before).filter((text) => !text.startsWith('PRIVMSG #radio Now'))).toEqual([])
  })

  test('takes another nick while its own is in use, and takes it back', async () => {
    await runner.close()
    await listener.find(new RegExp(`^:${NICK}!\\S+ QUIT :.*The site restarts`))
    const holder = await server.join(NICK)
    runner = startIrc(services, LEASE)
    await listener.find(new RegExp(`^:${NICK}_!\\S+ JOIN `))
    await holder.leave()
    await listener.find(new RegExp(`^:${NICK}_!\\S+ NICK :?${NICK}$`))
  })

  test('joins again after a kick, until it was kicked too often', async () => {
    for (let kicks = 0; kicks < 2; kicks++) {
      listener.send(`KICK #radio ${NICK} :out`)
      await listener.find(new RegExp(` KICK #radio ${NICK} `))
      await listener.find(new RegExp(`^:${NICK}!\\S+ JOIN :?#radio`))
    }
    listener.send(`KICK #radio ${NICK} :out`)
    await listener.find(new RegExp(` KICK #radio ${NICK} `))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await names('#radio')).not.toContain(NICK)
  })

  test('runs in one of several processes, and another one takes over', async () => {
    const irc = createIrc({ ...deps(), config: ownConfig() })
    const other = startIrc({ ...services, irc }, LEASE)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect([services.irc.state(), irc.state()]).toEqual(['online', 'standby'])
    await runner.close()
    expect(services.irc.state()).toBe('standby')
    await until(() => irc.state() === 'online')
    runner = startIrc(services, LEASE)
    await other.close()
    await until(() => services.irc.state() === 'online')
    const [row] = await services.db.select().from(job).where(sql`${job.name} = 'irc'`)
    expect(row?.failures).toBe(0)
  })

  test.runIf(isDeep)('paces floods', async () => {
    let onPayload: (payload: string) => void = () => {}
    const subscribe = (listener: typeof onPayload) => {
      onPayload = listener
      return () => {}
    }
    const events = { ...silentEvents, subscribe }
    const irc = createIrc({
      ...deps(),
      // Other channels would get lines too, for example the track that plays.
      config: { ...ownConfig(), nick: 'flooder', account: null, channels: [] },
      events,
      times: { ...TIMES, lines: IRC_TIMES.lines },
    })
    const stopping = new AbortController()
    const running = irc.run(services, stopping.signal)
    await until(async () => (await names('#staff')).includes('flooder'))
    for (let count = 1; count <= 6; count++) {
      onPayload(
        JSON.stringify([{ topic: 'moderation', change: { kind: 'alert', alert: 'held', boardId: null, count } }]),
      )
    }
    // The bot may hear of its own join later than others.
    await until(() => irc.stats().sent === 4)
    expect(irc.stats()).toMatchObject({ waiting: 2 })
    const startedAt = performance.now()
    for (const count of [1, 2, 3, 4, 5]) await listener.find(new RegExp(`^:flooder.* :${count} new held post`))
    expect(performance.now() - startedAt).toBeGreaterThan(1500)
    await listener.find(/^:flooder.* :6 new held posts/)
    expect(performance.now() - startedAt).toBeGreaterThan(3500)
    expect(irc.stats()).toMatchObject({ sent: 6, waiting: 0, dropped: 0 })
    stopping.abort()
    await running
  })

  test('returns after a restart of the server, which does not disturb the site', async () => {
    await server.stop()
    await until(() => services.irc.state() === 'connecting')
    expect((await site.app.inject('/readyz')).statusCode).toBe(200)
    await server.start()
    listener = await server.join('listener', ['#radio', '#main', '#staff'])
    await until(() => services.irc.state() === 'online', 20_000)
    for (const channel of ['#radio', '#main']) await until(async () => (await names(channel)).includes(NICK))
    await endBroadcast(await startBroadcast({ title: 'After the restart' }))
    expect(await said('#radio', /over/)).toBe('The show is over: After the restart with Nadia')
  })

  test('refuses a certificate that it does not trust, and a wrong password', async () => {
    const reasons: string[] = []
    const log = { info: () => {}, error: () => {}, warn: ({ reason }: { reason: string }) => reasons.push(reason) }
    const connect = async (changes: Partial<IrcConfig>) => {
      const irc = createIrc({ ...deps(), config: { ...ownConfig(), nick: 'other', ...changes }, log: log as never })
      const stopping = new AbortController()
      const running = irc.run(services, stopping.signal)
      const before = reasons.length
      await until(() => reasons.length > before)
      stopping.abort()
      await running
    }
    await connect({ account: { account: ACCOUNT.account, password: 'wrong' } })
    trusted = undefined
    await connect({})
    trusted = server.certificate
    expect(reasons).toEqual(['the server refused IRC_ACCOUNT (fail)', expect.stringMatching(/self.signed certificate/)])
  })
})
