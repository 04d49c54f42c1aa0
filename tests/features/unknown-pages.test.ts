import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../helpers/databases.ts'
import { type SiteProcess, spawnSite } from '../helpers/process.ts'

let place: TestDatabase
let site: SiteProcess
beforeAll(async () => {
  place = await testDatabase()
  site = await spawnSite(place, { RATE_LIMIT: 'on', REQUEST_COST_PER_NETWORK: '9/1h' })
}, 60_000)
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  await place.cleanup()
})

const get = (path: string, accept = 'text/html') => fetch(`${site.origin}${path}`, { headers: { accept } })

test('URLs that lead nowhere share one page a kind, and cost nothing', async () => {
  const [first = '', ...others] = await Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      const answer = await get(`/nothing/${number}?x=${number}`)
      expect(answer.status).toBe(404)
      return answer.text()
    }),
  )
  expect(first).toContain('Page not found')
  expect(first).toContain('Back to Home')
  expect(new Set(others)).toEqual(new Set([first]))
  const below = await get('/dtpchan/nothing')
  expect([below.status, (await below.text()).includes('Back to DTPChan')]).toEqual([404, true])
  const data = await get('/nothing/here/index.pageContext.json', '*/*')
  expect(data.headers.get('content-type')).toContain('application/json')
  expect(await data.text()).toContain('Page not found')
})

test('a network that has used up its share reads so in a browser, and still gets what is in memory', async () => {
  expect((await get('/about')).status).toBe(200)
  const statuses = [await get('/login'), await get('/login'), await get('/login')].map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 429])
  const refused = await get('/paste/none')
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toContain('<p>Too many requests from your network. Please try again in')
  expect(await (await get('/login', '*/*')).json()).toMatchObject({ success: false })
  expect((await get('/about')).status).toBe(200)
  expect((await get('/nothing')).status).toBe(404)
})
