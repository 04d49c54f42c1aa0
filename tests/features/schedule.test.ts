import { eq, sql } from 'drizzle-orm'
import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { show, streamer } from '#db/schema/index.ts'
import { data } from '#pages/radio/+data.ts'
import head from '#pages/radio/+head.ts'
import { removeUser } from '#server/features/auth/users.ts'
import { cleanUpFiles } from '#server/jobs.ts'
import { callApi, type Fields, toFormData } from '#tests/helpers/apiCalls.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { addStreamer } from '#tests/helpers/streamers.ts'

const SHOWS = '/api/radio/shows'
const SCHEDULE = '/api/radio/schedule'
const NOW = new Date('2026-03-23T12:00:00Z')
/** Mondays at 20:00 in Berlin: 19:00 UTC, and 18:00 UTC from 29/03 on. */
const drones = {
  title: 'Drones',
  description: 'Slow, and loud; with \\ and “quotes”',
  zone: 'Europe/Berlin',
  firstDay: '2026-03-23',
  startTime: '20:00',
  minutes: 120,
  isWeekly: true,
}

let site: TestSite
let tokens: Record<'guest' | 'member' | 'disabled' | 'other' | 'ferrite' | 'admin', string | undefined>
let png: File

async function createStreamer(name: string, disabled = false): Promise<string> {
  const email = `${name}@example.org`
  const token = await site.createToken(email)
  await addStreamer(site.app.services.db, email, name, disabled)
  return token
}

beforeAll(async () => {
  site = await startSite({ SITE_URL: 'https://dtp.example.org' })
  tokens = {
    guest: undefined,
    member: await site.createToken('member@example.org'),
    disabled: await createStreamer('disabled', true),
    other: await createStreamer('nullbyte'),
    ferrite: await createStreamer('ferrite'),
    admin: await site.createToken('admin@example.org', 'admin'),
  }
  png = new File([new Uint8Array(await stillImage(640, 480).png().toBuffer())], 'a.png', { type: 'image/png' })
})
beforeEach(async () => {
  site.setNow(NOW)
  await site.app.services.db.delete(show)
})
afterAll(() => site.close())

const create = (json: object = {}, token = tokens.ferrite) =>
  callApi(site, 'POST', SHOWS, { token, json: { ...drones, ...json } })
const update = (id: number | string, json: object = {}, token = tokens.ferrite) =>
  callApi(site, 'PUT', `${SHOWS}/${id}`, { token, json: { ...drones, ...json } })
const remove = (id: number | string, token = tokens.ferrite) => callApi(site, 'DELETE', `${SHOWS}/${id}`, { token })
const refusal = async (answer: ReturnType<typeof callApi>) => {
  const { status, body } = await answer
  return [status, body.error]
}
async function titles(query = '', at = site): Promise<string[]> {
  const { body } = await callApi(at, 'GET', `${SCHEDULE}${query}`)
  type Listed = { startsAt: string; show: { title: string } }
  return body.occurrences.map(({ startsAt, show: { title } }: Listed) => `${startsAt.slice(0, 16)} ${title}`)
}
const calendar = (headers: Record<string, string> = {}) =>
  site.app.inject({ method: 'GET', url: '/radio/schedule.ics', headers })

test('lists the times of a show, over a change of the clocks', async () => {
  const { status, body } = await create({ title: ' Drones ', lastDay: '2026-04-06' })
  expect([status, body.show]).toEqual([
    200,
    {
      ...drones,
      id: expect.any(Number),
      streamer: 'ferrite',
      image: null,
      lastDay: '2026-04-06',
      updatedAt: NOW.toISOString(),
    },
  ])
  await create({ title: 'Once', isWeekly: false, firstDay: '2026-03-25', lastDay: '2026-05-01' }, tokens.other)
  const all = ['2026-03-23T19:00 Drones', '2026-03-25T19:00 Once', '2026-03-30T18:00 Drones', '2026-04-06T18:00 Drones']
  expect(await titles()).toEqual(all.slice(0, 2))
  expect(await titles('?to=2026-05-01T00:00:00Z')).toEqual(all)
  // The span includes the show on air.
  expect(await titles('?from=2026-03-23T20:59:59%2B00:00&to=2026-03-24T00:00:00Z')).toEqual(all.slice(0, 1))
  expect(await titles('?from=2026-03-23T21:00:00Z&to=2026-03-24T00:00:00Z')).toEqual([])
})

test.each([
  ['?from=yesterday', 'from and to must be times such as 2026-11-27T20:00:00Z'],
  ['?from=1999-01-01T00:00:00Z', 'from and to must be times such as 2026-11-27T20:00:00Z'],
  ['?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'to must be after from'],
  ['?to=2026-05-25T00:00:00Z', 'from and to must be at most 62 days apart'],
])('refuses the span %s', async (query, error) => {
  expect(await refusal(callApi(site, 'GET', SCHEDULE + query))).toEqual([400, error])
})

describe('permissions', () => {
  const LOGIN = [401, 'You must be logged in to plan shows']
  const STREAMERS = [403, 'Only streamers can plan shows']
  const OTHER = [403, 'This is the show of another streamer']

  test.each([
    ['guest', LOGIN, LOGIN, LOGIN],
    ['member', STREAMERS, OTHER, OTHER],
    ['disabled', STREAMERS, OTHER, OTHER],
    ['other', [200, undefined], OTHER, OTHER],
    ['ferrite', [200, undefined], [200, undefined], [200, undefined]],
    ['admin', [400, 'Choose the streamer of the show'], [200, undefined], [200, undefined]],
  ] as const)('of %s', async (who, added, changed, deleted) => {
    const { id } = (await create()).body.show
    const token = tokens[who] ?? 'none'
    expect(await refusal(create({ firstDay: '2026-03-24' }, token))).toEqual(added)
    expect(await refusal(update(id, { title: 'New' }, token))).toEqual(changed)
    expect(await refusal(remove(id, token))).toEqual(deleted)
    expect(await titles()).toHaveLength((added[0] === 200 ? 1 : 0) + (deleted[0] === 200 ? 0 : 1))
  })

  test('let admins plan shows of others, and show each streamer the own ones', async () => {
    const forOther = { streamer: 'NullByte', firstDay: '2026-03-24', title: 'Chips' }
    expect(await refusal(create(forOther))).toEqual(STREAMERS)
    expect(await refusal(create({ streamer: 'nobody' }, tokens.admin))).toEqual([404, 'Streamer not found'])
    expect((await create(forOther, tokens.admin)).body.show.streamer).toBe('nullbyte')
    await create()
    const editable = async (token?: string) => {
      const { body } = await callApi(site, 'GET', '/trpc/show.editable', { token })
      const { shows, streamers } = body.result.data.json
      return [shows.map(({ title }: { title: string }) => title), streamers]
    }
    expect(await editable(tokens.other)).toEqual([['Chips'], ['nullbyte']])
    expect(await editable(tokens.member)).toEqual([[], []])
    expect(await editable(tokens.admin)).toEqual([
      ['Chips', 'Drones'],
      ['ferrite', 'nullbyte'],
    ])
  })

  test('take the shows of a disabled or deleted streamer off the schedule', async () => {
    const token = await createStreamer('leaving')
    await create({}, token)
    await site.app.services.db.update(streamer).set({ disabled: true })
    expect(await titles()).toEqual([])
    await site.app.services.db.update(streamer).set({ disabled: false })
    await site.app.services.db.update(streamer).set({ disabled: true }).where(eq(streamer.name, 'disabled'))
    expect(await titles()).toHaveLength(1)
    await removeUser(site.app.services, 'leaving@example.org')
    expect(await titles()).toEqual([])
  })
})

describe('overlaps', () => {
  const overlap = [409, 'This overlaps with “Drones” on 23/03/2026 19:59 UTC']

  test('are refused with the name of the other show, also in another zone and after a change', async () => {
    const { id } = (await create({ minutes: 60 })).body.show
    const clash = { title: 'Chips', zone: 'America/New_York', startTime: '15:59', minutes: 5 }
    expect(await refusal(create(clash, tokens.other))).toEqual(overlap)
    // Back to back in summer, but not in the week when only New York still has summer time.
    const inSummer = { ...clash, startTime: '15:00', firstDay: '2026-03-30', minutes: 60 }
    expect(await refusal(create(inSummer, tokens.other))).toEqual([
      409,
      'This overlaps with “Drones” on 26/10/2026 19:00 UTC',
    ])
    const other = (await create({ ...clash, startTime: '16:00' }, tokens.other)).body.show
    expect(await refusal(update(other.id, clash, tokens.other))).toEqual(overlap)
    expect((await update(id, { minutes: 30 })).status).toBe(200)
    expect((await update(other.id, clash, tokens.other)).status).toBe(200)
  })

  test('are refused to all but one of concurrent requests', async () => {
    let requests: ReturnType<typeof create>[] = []
    await site.app.services.db.transaction(async (tx) => {
      // Lets no request publish its change until all of them have looked for a free time.
      await tx.execute('lock table event in share row exclusive mode')
      requests = [1, 2, 3].map((n) => create({ title: `No. ${n}` }))
      // Other test files wait for locks on the same server.
      const waiting = sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await site.app.services.db.execute(waiting)).length).toBe(3)
    })
    expect((await Promise.all(requests)).map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await titles()).toHaveLength(1)
  })

  test('do not count for shows that are over', async () => {
    await create({ isWeekly: false, firstDay: '2026-03-16' })
    expect((await create({ firstDay: '2026-03-16' })).status).toBe(200)
  })
})

test('refuses an outdated version, and the 51st show of a streamer', async () => {
  const { id, updatedAt } = (await create()).body.show
  const answers = await Promise.all(['a', 'b', 'c'].map((title) => update(id, { title, updatedAt })))
  expect(answers.map(({ status, body }) => body.error ?? status).sort()).toEqual([
    200,
    'Someone else changed this show in the meantime',
    'Someone else changed this show in the meantime',
  ])
  expect(await refusal(update(id, { updatedAt: 'never' }))).toEqual([
    400,
    'updatedAt must be the value that the show was read with',
  ])
  for (const missing of ['0', '999999999', '9'.repeat(30), 'x', '%00']) {
    expect(await refusal(update(missing))).toEqual([404, 'Show not found'])
    expect(await refusal(remove(missing))).toEqual([404, 'Show not found'])
  }
  const { db } = site.app.services
  const [row] = await db.select().from(show)
  const { id: _id, ...copy } = row as typeof show.$inferSelect
  const old = { ...copy, isWeekly: false, firstDay: '2020-01-01' }
  await db.insert(show).values(Array.from({ length: 49 }, () => old))
  expect(await refusal(create({ firstDay: '2026-03-24' }))).toEqual([
    409,
    'A streamer can have at most 50 shows. Delete an old one first.',
  ])
})

test('keeps an image until another one, its removal or the show’s end', async () => {
  const send = (method: 'POST' | 'PUT', path: string, fields: Fields) =>
    callApi(site, method, path, {
      token: tokens.ferrite,
      form: toFormData({ ...drones, minutes: '120', isWeekly: 'true', ...fields } as Fields),
    })
  const file = async (url: string) => (await site.app.inject(url)).statusCode
  const stored = async () => {
    const names = []
    for await (const { name } of site.app.services.files.list()) names.push(name)
    return names
  }
  const { show: added } = (await send('POST', SHOWS, { image: png })).body
  expect(added.image).toMatchObject({ width: 640, height: 480, preview: { width: 320, height: 240 } })
  await cleanUpFiles(site.app.services, 0)
  expect(await file(added.image.url)).toBe(200)

  const path = `${SHOWS}/${added.id}`
  expect((await send('PUT', path, { title: 'New' })).body.show.image).toEqual(added.image)
  const wrong = new File(['no picture'], 'a.png', { type: 'image/png' })
  const text = new File(['text'], 'a.txt', { type: 'text/plain' })
  for (const image of [wrong, text]) expect((await send('PUT', path, { image })).status).toBe(415)
  expect((await send('PUT', path, { image: png, minutes: '4' })).status).toBe(400)
  const { show: replaced } = (await send('PUT', path, { image: png })).body
  expect([await file(added.image.url), await file(replaced.image.url)]).toEqual([404, 200])
  // A refused show leaves no file.
  expect((await send('POST', SHOWS, { image: png })).status).toBe(409)
  expect(await stored()).toHaveLength(3)

  expect((await send('PUT', path, { removeImage: 'true' })).body.show.image).toBeNull()
  expect(await file(replaced.image.url)).toBe(404)
  await send('PUT', path, { image: png })
  await remove(added.id)
  expect(await stored()).toEqual([])
})

test('keeps the image of a show that was stored although the answer of the database was lost', async () => {
  const { db } = site.app.services
  const run = db.transaction.bind(db)
  const lossy = vi.spyOn(db, 'transaction').mockImplementation(async (...work) => {
    const result = await run(...work)
    if ((await db.$count(show)) > 0) throw new Error('The connection was lost')
    return result
  })
  const form = toFormData({ ...drones, minutes: '120', isWeekly: 'true', image: png })
  expect((await callApi(site, 'POST', SHOWS, { token: tokens.ferrite, form })).status).toBe(500)
  lossy.mockRestore()
  const { occurrences } = (await callApi(site, 'GET', SCHEDULE)).body
  expect((await site.app.inject(occurrences[0].show.image.url)).statusCode).toBe(200)
})

test('answers what is next, and forgets it when the schedule changes', async () => {
  const upcoming = async () => {
    const { current, next } = (await callApi(site, 'GET', '/trpc/show.upcoming')).body.result.data.json
    return [current?.show.title ?? null, next?.show.title ?? null]
  }
  expect(await upcoming()).toEqual([null, null])
  const { id } = (await create({ isWeekly: false })).body.show
  await create({ title: 'Later', isWeekly: false, startTime: '22:00' })
  expect(await upcoming()).toEqual([null, 'Drones'])
  site.setNow(new Date('2026-03-23T19:00:00Z'))
  expect(await upcoming()).toEqual(['Drones', 'Later'])
  await remove(id)
  expect(await upcoming()).toEqual([null, 'Later'])
})

test('tells open pages and the page cache of every change', async () => {
  const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const query = await callApi(site, 'GET', '/trpc/show.schedule?input=%7B%22json%22%3A%7B%7D%7D')
  const page = await openEventConnection(origin, ['shows'], query.body.result.data.json.lastEventId)
  const count = async () => (await calendar()).body.split('BEGIN:VEVENT').length - 1
  expect(await count()).toBe(0)
  const { id } = (await create({ isWeekly: false })).body.show
  expect(await count()).toBe(1)
  await update(id, { lastDay: '2026-03-30' })
  expect(await count()).toBe(2)
  await remove(id)
  expect(await count()).toBe(0)
  for (let number = 0; number < 3; number++) {
    expect((await page.next()).event).toEqual({ topic: 'shows', change: { kind: 'schedule' } })
  }
  page.close()
})

test('sends a calendar that another program reads, and 304 until it changes', async () => {
  const title = `Ünïcödé, 🎛️; ${'x'.repeat(60)}`
  const { id } = (await create({ title, description: 'Line one\nLine, two; \\n' })).body.show
  await create({ title: 'Hidden', firstDay: '2027-01-01', isWeekly: false })
  const answer = await calendar()
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  const lines = answer.body.split('\r\n')
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
  expect(answer.body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)

  const events = new ICAL.Component(ICAL.parse(answer.body))
    .getAllSubcomponents('vevent')
    .map((event) => new ICAL.Event(event))
  expect(events).toHaveLength(26)
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(26)
  expect(events[0]).toMatchObject({
    uid: `show-${id}-2026-03-23@dtp.example.org`,
    summary: `${title} with ferrite`,
    description: 'Line one\nLine, two; \\n',
  })
  const times = events.map(({ startDate, endDate }) =>
    [startDate, endDate].map((time) => time.toJSDate().toISOString()),
  )
  expect(times.slice(0, 2)).toEqual([
    ['2026-03-23T19:00:00.000Z', '2026-03-23T21:00:00.000Z'],
    ['2026-03-30T18:00:00.000Z', '2026-03-30T20:00:00.000Z'],
  ])
  expect((await calendar({ 'if-none-match': String(answer.headers.etag) })).statusCode).toBe(304)
  await update(id, { title: 'Renamed' })
  const changed = await calendar({ 'if-none-match': String(answer.headers.etag) })
  expect([changed.statusCode, changed.body.includes(`UID:show-${id}-2026-03-23@`)]).toEqual([200, true])
})

const readCalendar = async () => new ICAL.Component(ICAL.parse((await calendar()).body))

test('keeps shows of the last four weeks in the calendar', async () => {
  await create({ title: 'Yesterday', firstDay: '2026-03-22', isWeekly: false })
  await create({ title: 'Ended', firstDay: '2026-02-02', lastDay: '2026-03-09' })
  const events = (await readCalendar()).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
  expect(
    events.map(({ summary, startDate }) => `${startDate.toJSDate().toISOString().slice(0, 10)} ${summary}`),
  ).toEqual([
    '2026-03-22 Yesterday with ferrite',
    ...['2026-02-23', '2026-03-02', '2026-03-09'].map((day) => `${day} Ended with ferrite`),
  ])
})

test('sends a calendar with a component if there are no shows', async () => {
  await remove((await create()).body.show.id)
  const components = (await readCalendar()).getAllSubcomponents()
  expect(components.map(({ name }) => name)).toEqual(['vtimezone'])
  const zone = new ICAL.Timezone(components[0] ?? '')
  expect([zone.tzid, zone.utcOffset(ICAL.Time.now())]).toEqual(['UTC', 0])
})

test('the page’s data is the message of its head if the query failed', async () => {
  const schedule = () => Promise.reject(new Error('the database is away'))
  const stations = () => Promise.resolve({ stations: [], available: false })
  const api = { show: { schedule }, radio: { stations, nowPlaying: () => Promise.reject(new Error('away')) } }
  expect(await data({ api, config: { head }, siteUrl: '' } as never)).toEqual({ error: 'Failed to load the schedule' })
})
