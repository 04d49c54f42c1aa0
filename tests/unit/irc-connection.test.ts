import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type IncomingMessage, openConnection } from '#server/features/irc/connection.ts'
import type { IrcTimes } from '#server/features/irc/times.ts'
import { until } from '#tests/helpers/icecast.ts'

/** In ms. */
const TIMES: IrcTimes['connection'] = {
  ...{ register: 5000, regain: 5000, quit: 100, tick: 20 },
  channels: { retry: 5000, maxRetry: 5000, afterKick: [] },
}
const NOW = new Date('2026-11-25T12:00:00Z')
let server: Server | undefined
afterEach(() => {
  server?.close()
})

/** Connects to a server that sends only what the test sends. */
async function connect(times: Partial<IrcTimes['connection']> = {}) {
  const accepted = new Promise<Socket>((resolve) => {
    server = createServer({ allowHalfOpen: true }, resolve).listen(0, '127.0.0.1')
  })
  await once(server as Server, 'listening')
  const messages: IncomingMessage[] = []
  const faults: unknown[] = []
  const connection = openConnection({
    config: {
      ...{ host: '127.0.0.1', port: ((server as Server).address() as AddressInfo).port },
      ...{ tls: false, nick: 'bot', account: null },
    },
    channels: ['#a'],
    onMessage: (message) => messages.push(message),
    onReady: () => {},
    onFault: (error) => faults.push(error),
    ...{ now: () => NOW, clock: () => performance.now(), times: { ...TIMES, ...times } },
  })
  const socket = await accepted
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  socket.on('error', () => {})
  const send = (...lines: (string | Buffer)[]) => {
    for (const line of lines) socket.write(Buffer.concat([Buffer.from(line), Buffer.from('\r\n')]))
  }
  const register = async () => {
    send(':irc.test 001 bot :Welcome', ':bot!site@host JOIN #a')
    await until(() => connection.isReady('#a'))
  }
  return { connection, socket, send, register, messages, faults, received: () => received }
}

it('reads only messages of people that are new', async () => {
  const { connection, send, register, messages, received } = await connect()
  await register()
  send(
    ...[':bot!site@host PRIVMSG #a :own', ':irc.test PRIVMSG bot :of the server', ':ann!a@host NOTICE bot :notice'],
    ...['@bot :ann!a@host PRIVMSG #a :of a bot', '@draft/bot=x :ann!a@host PRIVMSG bot :of a bot'],
    ...['@time=2026-11-25T11:58:00.000Z :ann!a@host PRIVMSG #a :old', ':ann!a@host PRIVMSG #b :elsewhere'],
    ...[':irc.test BATCH +1 chathistory #a', '@batch=1 :ann!a@host PRIVMSG #a :history', ':irc.test BATCH -1'],
    ...[':ann!a@host PRIVMSG bot :\x01VERSION\x01', ':ann!a@host PRIVMSG bot :\x01PING 1\x01'],
    ...['@time=2026-11-25T11:59:30.000Z :ann!a@host PRIVMSG #A :in the channel', ':ann!a@host PRIVMSG bot :in private'],
  )
  await until(() => messages.length === 2)
  expect(messages).toEqual([
    { nick: 'ann', host: 'host', text: 'in the channel', channel: '#A' },
    { nick: 'ann', host: 'host', text: 'in private', channel: null },
  ])
  expect(received()).not.toContain('NOTICE')
  connection.quit()
  // This server never closes the connection.
  expect(await connection.closed).toMatchObject({ reason: 'the site closes' })
  expect(received()).toContain('QUIT :The site restarts')
})

it('survives broken lines and other encodings', async () => {
  const { connection, send, register, messages, faults } = await connect()
  await register()
  const commands = [
    'PRIVMSG',
    'NOTICE',
    'KICK',
    'JOIN',
    'MODE',
    'NICK',
    'CAP',
    'AUTHENTICATE',
    '005',
    '353',
    '433',
    '730',
  ]
  send(...commands, ...commands.map((command) => `:a!b@c ${command}`), '', ':', '@', '@;;= :', ': :', '\0\0', '@a=\\')
  send(Buffer.concat([Buffer.from(':ann!a@host PRIVMSG bot :latin '), Buffer.from([0xe4, 0xff])]))
  await until(() => messages.length === 1)
  expect(messages[0]?.text).toBe('latin \ufffd\ufffd')
  expect(faults.length).toBeGreaterThan(0)
  expect(connection.isOnline()).toBe(true)
  connection.quit()
  await connection.closed
})

it('closes the connection when a line never ends', async () => {
  const { connection, socket, register } = await connect()
  await register()
  for (let count = 0; count < 5; count++) socket.write('x'.repeat(4000))
  expect((await connection.closed).onlineMs).toBeGreaterThan(0)
})

it('closes the connection if the server accepts no nick, or does not answer', async () => {
  const busy = await connect()
  busy.socket.on('data', (data) => {
    for (const [, nick] of String(data).matchAll(/NICK (\S+)/g)) busy.send(`:irc.test 433 * ${nick} :in use`)
  })
  expect((await busy.connection.closed).reason).toBe('the server accepts none of the nicks')
  server?.close()
  const silent = await connect({ register: 50 })
  expect((await silent.connection.closed).reason).toBe('the server did not accept the bot in time')
})
