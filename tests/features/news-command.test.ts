import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { type FeedServer, rss, startFeedServer } from '#tests/helpers/feedServer.ts'
import { runCommand, spawnSite } from '#tests/helpers/siteProcess.ts'

let place: TestDatabase
let server: FeedServer
const published = new Date(Date.now() - 3_600_000)
beforeAll(async () => {
  place = await testDatabase()
  server = await startFeedServer()
  const entries = ['one', 'two', 'three', 'four'].map((title, hour) => ({
    title: `${title} \u009b31m`,
    link: `https://site.example/${title}`,
    date: new Date(published.getTime() - hour * 3_600_000),
    ...(hour === 0 && { image: 'https://site.example/one.png' }),
  }))
  server.set('/good', { body: rss(entries, { title: 'Good news' }) })
  server.set('/moved', { redirect: '/good' })
  server.set('/page', 'html')
})
afterAll(async () => {
  await server.close()
  await place.cleanup()
})

const run = (args: string, env: Record<string, string> = {}) =>
  runCommand(place, ['feeds', ...args.split(' ').filter(Boolean)], '', { ALLOW_PRIVATE_NETWORK: 'on', ...env })
const at = (path: string) => `${server.url}${path}`

test('feeds check fetches each feed, prints the result and stores nothing', async () => {
  const NEWS_FEEDS = ['/good', '/gone', '/moved', '/page'].map(at).join(',')
  const { code, output } = await run('check', { NEWS_FEEDS })
  const newest = published.toISOString().slice(0, 16).replace('T', ' ')
  const [good, gone, moved, page, end] = output.split(/^(?=\S)/m)
  expect(good?.split('\n')).toEqual([
    at('/good'),
    '  RSS, “Good news”',
    `  4 entries, 0 skipped, newest ${newest} UTC, 1 with an image`,
    expect.stringMatching(/^ {2}- one\P{Cc}*$/u),
    expect.stringMatching(/^ {2}- two/),
    expect.stringMatching(/^ {2}- three/),
    '',
  ])
  expect(gone).toBe(`${at('/gone')}\n  failed: answered 404\n`)
  expect(moved?.split('\n').slice(0, 3)).toEqual([at('/moved'), `  redirected to ${at('/good')}`, '  RSS, “Good news”'])
  expect(page).toMatch(/^http\S+\/page\n {2}failed: [^\n]+\n$/)
  expect(end).toBe('2 of 4 feeds read\n')
  expect(code).toBe(1)
  expect(output).not.toMatch(/\bat .*:\d+:\d+/)
  expect((await run('list', { NEWS_FEEDS: at('/good') })).output).toBe(`${at('/good')}\n  not fetched yet\n`)
})

test('feeds check accepts other URLs and rejects private addresses', async () => {
  const named = await run(`check ${at('/good')}`)
  expect([named.code, named.output.split('\n').at(-2)]).toEqual([0, '1 of 1 feed read'])
  const closed = await run(`check ${at('/good')}`, { ALLOW_PRIVATE_NETWORK: 'off' })
  expect([closed.code, closed.output.split('\n')[1]]).toEqual([1, '  failed: not a public address'])
  for (const command of ['check', 'list']) {
    expect(await run(command)).toEqual({ code: 0, output: 'There are no feeds: NEWS_FEEDS is empty\n' })
  }
})

test.each(someOf(['check somewhere', '', 'frobnicate', 'list all', 'check file:///etc/passwd']))(
  'rejects the arguments "%s" with a message',
  async (args) => {
    const { code, output } = await run(args)
    expect(code).toBe(1)
    expect(output.trim()).not.toBe('')
    expect(output).not.toMatch(/\bat .*:\d+:\d+/)
  },
)

test.runIf(isDeep)('feeds list shows the results of a running site', async () => {
  const env = { NEWS_FEEDS: `${at('/good')},${at('/gone')}`, ALLOW_PRIVATE_NETWORK: 'on' }
  const site = await spawnSite(place, env)
  try {
    const list = async () => (await run('list', env)).output
    await expect.poll(list, { timeout: 60_000, interval: 500 }).toContain('1 failure in a row')
    const minute = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC'
    expect(await list()).toMatch(
      new RegExp(
        `^${at('/gone')}\n  0 articles, last fetch ${minute}, next ${minute}\n  1 failure in a row, the last one: answered 404\n` +
          `${at('/good')}\n  4 articles, last fetch ${minute}, next ${minute}\n$`,
      ),
    )
  } finally {
    expect(await site.stop()).toBe(0)
  }
})
