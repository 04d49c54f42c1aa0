import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '#server/core/context.ts'
import { findPageItem } from '#server/plugins/pages/missingPages.ts'
import { createBoard } from '#tests/helpers/apiCalls.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { startSite } from '#tests/helpers/site.ts'
import { type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

let place: TestDatabase
let site: SiteProcess
beforeAll(async () => {
  place = await testDatabase()
  site = await spawnSite(place, { RATE_LIMIT: 'on', REQUEST_COST_PER_NETWORK: '9/1h' })
})
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  await place.cleanup()
})

const get = (path: string, accept = 'text/html') => fetch(`${site.origin}${path}`, { headers: { accept } })

test('serves one cached page for all unknown URLs of a kind, at no cost', async () => {
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
  expect(await data.json()).toMatchObject({ abortStatusCode: 404 })
})

test('renders pages of missing content once per kind, at the cost of a lookup', async () => {
  const id = (number: number) => `${String(number).padStart(21, 'x')}A`
  const kinds: [(number: number) => string, string][] = [
    [(number) => `/paste/${id(number)}`, 'Paste not found'],
    [(number) => `/paste/${id(number)}/delete?token=x`, 'Paste not found'],
    [(number) => `/image-share/${id(number)}`, 'Image not found'],
    [(number) => `/dtpchan/board/none-${number}`, 'Board not found'],
    [(number) => `/dtpchan/board/none/thread/${number}1`, 'Board not found'],
  ]
  const own = await testDatabase()
  const rich = await spawnSite(own, { RATE_LIMIT: 'on', REQUEST_COST_PER_NETWORK: '100/1h' })
  for (const [urlOf, text] of kinds) {
    const pages = new Set<string>()
    for (let number = 1; number <= 20; number++) {
      const answer = await fetch(`${rich.origin}${urlOf(number)}`, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(404)
      pages.add(await answer.text())
    }
    expect(pages.size).toBe(1)
    expect([...pages][0]).toContain(text)
  }
  expect((await fetch(`${rich.origin}/paste/${id(21)}`)).status).toBe(429)
  expect(await rich.stop()).toBe(0)
  await own.cleanup()
})

test('shares the page of missing threads only within a board', async () => {
  const own = await startSite()
  const admin = await own.createToken('admin@example.org', 'admin')
  for (const name of ['Tech', 'Music']) await createBoard(own, name, admin)
  const visitor = { ip: '192.0.2.1', headers: {}, raw: {} } as Parameters<typeof createContext>[1]
  const keyOf = async (path: string) =>
    (await findPageItem(createContext(own.app.services, visitor), `/dtpchan/board/${path}/thread/999999`)).missing
  const [tech, music] = [await keyOf('tech'), await keyOf('music')]
  expect([tech, music]).toEqual([expect.any(String), expect.any(String)])
  expect(tech).not.toBe(music)
  expect(await keyOf('none')).toBe(await keyOf('other'))
  await own.close()
})

test('shows a readable 429 page in a browser, and still serves cached pages', async () => {
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
