import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Services } from '#server/core/context.ts'
import { findUser } from '#server/features/auth/service.ts'
import { removeUser } from '#server/features/auth/users.ts'
import { disconnectChangedStreamers } from '#server/features/streamer/disconnectChanged.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { readRows } from '#tests/helpers/backupSite.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const ROLES = ['guest', 'member', 'streamer', 'otherStreamer', 'admin'] as const
type Who = (typeof ROLES)[number]

const STREAMERS = '/api/streamers'
const OWN = '/api/streamer'
const emailOf = (who: string) => `${who}@example.org`.toLowerCase()
const urlOf = (who: string) => `${STREAMERS}/${emailOf(who)}`

let site: TestSite
let tokens: Record<Who, string | undefined>
let disconnected: string[]
const passwords: string[] = []
const answers: string[] = []
const logged: string[] = []

async function call(who: Who, method: string, url: string, json?: object) {
  const answer = await callApi(site, method, url, { token: tokens[who], json })
  if (answer.body.password) passwords.push(answer.body.password)
  else answers.push(JSON.stringify(answer.body))
  return answer
}
const allow = (email: string, name: unknown) => call('admin', 'POST', STREAMERS, { email, name })
const createTarget = (email = emailOf('target')) => site.createToken(email)
const idOf = async (email: string) => (await findUser(site.app.services.db, email))?.id ?? ''

beforeAll(async () => {
  site = await startSite({ LOG_LEVEL: 'debug' }, { logTo: { write: (line) => void logged.push(line) } })
  tokens = {
    guest: undefined,
    member: await site.createToken(emailOf('member')),
    streamer: await site.createToken(emailOf('streamer')),
    otherStreamer: await site.createToken(emailOf('otherStreamer')),
    admin: await site.createToken(emailOf('admin'), 'admin'),
  }
  const services = site.app.services as Services & { live?: object }
  services.live = Object.assign(services.live ?? {}, { disconnectUser: (id: string) => void disconnected.push(id) })
  disconnected = []
  await allow(emailOf('streamer'), 'Night Owl')
  await allow(emailOf('otherStreamer'), 'Early Bird')
})
beforeEach(() => {
  disconnected = []
})
afterAll(() => site.close())

const ALL = { guest: 200, member: 200, streamer: 200, otherStreamer: 200, admin: 200 }
const MEMBERS = { ...ALL, guest: 401 }
const ADMINS = { guest: 401, member: 403, streamer: 403, otherStreamer: 403, admin: 200 }
const CALLS: [string, Record<Who, number>, (who: Who) => ReturnType<typeof call>][] = [
  ['read where sources connect', ALL, (who) => call(who, 'GET', `${OWN}/connection`)],
  ['read the own account', MEMBERS, (who) => call(who, 'GET', OWN)],
  [
    'renew the own password',
    { guest: 401, member: 403, streamer: 200, otherStreamer: 200, admin: 403 },
    (who) => call(who, 'POST', `${OWN}/password`),
  ],
  ['list streamers', ADMINS, (who) => call(who, 'GET', STREAMERS)],
  [
    'allow a user',
    ADMINS,
    async (who) => {
      await createTarget(emailOf('new'))
      return call(who, 'POST', STREAMERS, { email: emailOf('new'), name: 'Newcomer' })
    },
  ],
  ['rename', ADMINS, (who) => call(who, 'PUT', urlOf('streamer'), { name: 'NIGHT OWL' })],
  ['disable', ADMINS, (who) => call(who, 'PUT', urlOf('streamer'), { isDisabled: true })],
  ['enable', ADMINS, (who) => call(who, 'PUT', urlOf('streamer'), { isDisabled: false })],
  ['renew a password', ADMINS, (who) => call(who, 'POST', `${urlOf('streamer')}/password`)],
  ['remove', ADMINS, (who) => call(who, 'DELETE', urlOf('new'))],
]

test.each(CALLS)('%s: each role gets its answer', async (_name, expected, run) => {
  for (const who of ROLES) {
    const { status, body } = await run(who)
    expect([who, status, body.success]).toEqual([who, expected[who], expected[who] === 200])
  }
})

describe('a name', () => {
  beforeAll(() => createTarget())

  test.each<[unknown, number]>([
    ['', 400],
    ['x', 400],
    [7, 400],
    [null, 400],
    ['x'.repeat(41), 400],
    ['x'.repeat(200_000), 400],
    ['two\nlines', 400],
    ['nul\0byte', 400],
    ['bell \u0007', 400],
    ['\u200b\u200b\u200b', 400],
    ['\ud800\ud800', 400],
    ['early bird', 409],
    ['EARLY-BIRD', 409],
    ['Early\u200bBird', 409],
    ['Ｅarly Bird', 409],
    [`Early Bird${'\u0316\u0301'.repeat(50)}`, 409],
    ['DTP', 409],
    ['Ad.min', 409],
    ['AutoDJ', 409],
    ['local host', 409],
  ])('%j is refused', async (name, status) => {
    const { body, ...answer } = await allow(emailOf('target'), name)
    expect([answer.status, body.success]).toEqual([status, false])
    expect((await call('admin', 'PUT', urlOf('streamer'), { name })).status).toBe(status)
  })

  test('is unique among letters of all alphabets, also if two admins give it at once', async () => {
    const emails = ['a', 'b', 'c', 'd'].map(emailOf)
    for (const email of emails) await createTarget(email)
    const names = ['Ночь', 'НОЧЬ', 'ночь', 'Ночь']
    const statuses = (await Promise.all(emails.map((email, at) => allow(email, names[at])))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409, 409, 409])
  })

  test('is given to a user once', async () => {
    expect((await allow('nobody@example.org', 'Nobody')).status).toBe(404)
    const twice = await Promise.all([allow(emailOf('target'), 'One'), allow(emailOf('target'), 'Two')])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await call('admin', 'PUT', urlOf('target'), {})).status).toBe(400)
    expect((await call('admin', 'PUT', urlOf('member'), { name: 'Somebody' })).status).toBe(404)
  })
})

test('disabling, renewing and removing disconnect the sources, here and in other processes', async () => {
  const email = emailOf('dropped')
  await createTarget(email)
  await allow(email, 'Dropped')
  const id = await idOf(email)
  const elsewhere: string[] = []
  let reconnect = () => {}
  const source = { id: 'a', streamer: { userId: id }, connectedAt: new Date() }
  const { db } = site.app.services
  const listeners = new Set<(payload: string) => void>()
  const events = {
    subscribe: (listener: (payload: string) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onReconnect: (listener: () => void) => {
      reconnect = listener
      return () => {}
    },
  }
  const stop = disconnectChangedStreamers(
    { db, events } as never,
    {
      disconnectUser: (userId) => void elsewhere.push(userId),
      disconnect: (sourceId) => void elsewhere.push(sourceId),
      sources: () => [source] as never,
    },
    (error) => void elsewhere.push(String(error)),
  )
  const payload = JSON.stringify([{ topic: 'streamers', change: { kind: 'streamer', userId: id } }])
  const notify = () => {
    for (const listener of listeners) listener(payload)
  }

  expect((await call('admin', 'PUT', urlOf('dropped'), { isDisabled: true })).body.streamer.isDisabled).toBe(true)
  await call('admin', 'PUT', urlOf('dropped'), { isDisabled: false, name: 'Risen' })
  await call('admin', 'POST', `${urlOf('dropped')}/password`)
  await call('admin', 'DELETE', urlOf('dropped'))
  await expect.poll(() => disconnected).toEqual([id, id, id])
  const published = await db.execute(`select 1 from event where topic = 'streamers' and change ->> 'userId' = '${id}'`)
  expect(published).toHaveLength(3)
  notify()
  expect(elsewhere).toEqual([id])
  reconnect()
  await expect.poll(() => elsewhere).toEqual([id, 'a'])
  source.connectedAt = new Date(Date.now() + 1000)
  reconnect()
  await db.execute('select 1')
  expect(elsewhere).toEqual([id, 'a'])
  stop()
  notify()
  expect(elsewhere).toHaveLength(2)
})

test('deleting a user removes the account and disconnects the sources', async () => {
  const email = emailOf('leaver')
  await createTarget(email)
  await allow(email, 'Leaver')
  const id = await idOf(email)
  await removeUser(site.app.services, email)
  expect((await call('admin', 'GET', STREAMERS)).body.streamers).not.toContainEqual(expect.objectContaining({ email }))
  const [change] = await site.app.services.db.execute(
    `select 1 from event where topic = 'streamers' and change ->> 'userId' = '${id}'`,
  )
  expect(change).toBeDefined()
})

test('a disabled streamer sees the account, but gets no password', async () => {
  await call('admin', 'PUT', urlOf('otherStreamer'), { isDisabled: true })
  expect((await call('otherStreamer', 'GET', OWN)).body.streamer).toEqual({ name: 'Early Bird', isDisabled: true })
  expect((await call('otherStreamer', 'POST', `${OWN}/password`)).status).toBe(403)
  await call('admin', 'PUT', urlOf('otherStreamer'), { isDisabled: false })
})

test('a password is shown once, fits every program, and is stored as a hash', async () => {
  const { body, headers } = await call('streamer', 'POST', `${OWN}/password`)
  expect(body.password).toMatch(/^[a-z2-7]{26}$/)
  expect(headers['cache-control']).toBe('no-store')
  for (const url of [STREAMERS, OWN, `${OWN}/connection`]) await call('admin', 'GET', url)
  const users = await callApi(site, 'GET', '/trpc/auth.users.list', { token: tokens.admin })
  expect(JSON.stringify(users.body)).toContain('NIGHT OWL')
  const { db } = site.app.services
  // A backup contains these rows.
  const rows = await readRows({ unsafe: (query: string) => db.execute(query) } as never)
  const texts = [...answers, ...logged, JSON.stringify(users.body), JSON.stringify(rows)]
  expect(passwords.length).toBeGreaterThan(8)
  expect(new Set(passwords).size).toBe(passwords.length)
  for (const password of passwords) expect(texts.some((text) => text.includes(password))).toBe(false)
  const hash = createHash('sha256').update(body.password).digest('hex')
  expect(JSON.stringify(rows.streamer)).toContain(hash)
})

test('connects sources to LIVE_URL, or to the site', async () => {
  const { sourceConnection } = await import('#server/features/streamer/calls.ts')
  const { readConfig } = await import('#server/core/config/config.ts')
  const connect = (env: Record<string, string>) => sourceConnection(readConfig(env))
  expect(connect({ SITE_URL: 'https://dtp.example' })).toMatchObject({ host: 'dtp.example', port: 443, isSecure: true })
  expect(connect({ SITE_URL: 'https://dtp.example', LIVE_URL: 'http://[2001:db8::1]:8000' })).toEqual({
    host: '2001:db8::1',
    port: 8000,
    isSecure: false,
    mount: '/radio/1/source',
    testMount: '/test',
    user: 'source',
  })
  expect(connect({ RADIO_URL: 'https://azuracast.example' })).toBeNull()
})
