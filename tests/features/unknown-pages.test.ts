import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

let place: TestDatabase
let site: SiteProcess
beforeAll(async () => {
  place = await testDatabase()
  site = await spawnSite(place, { RATE_LIMIT: 'on', REQUEST_COST_PER_NETWORK: '39/1h' })
})
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  await place.cleanup()
})

const get = (path: string, accept = 'text/html') => fetch(`${site.origin}${path}`, { headers: { accept } })

test('says what is missing, with a way back', async () => {
  const id = 'xxxxxxxxxxxxxxxxxxxxxA'
  const pages = [
    ['/nothing/here?x=1', 'Page not found', 'Back to Home'],
    ['/dtpchan/nothing', 'Page not found', 'Back to DTPChan'],
    [`/paste/${id}`, 'Paste not found', 'Back to'],
    [`/paste/${id}/delete?token=x`, 'Paste not found', 'Back to'],
    [`/image-share/${id}`, 'Image not found', 'Back to'],
    ['/dtpchan/board/none', 'Board not found', 'Back to DTPChan'],
    ['/dtpchan/board/none/thread/11', 'Board not found', 'Back to DTPChan'],
  ] as const
  for (const [path, message, wayBack] of pages) {
    const answer = await get(path)
    const text = await answer.text()
    expect([path, answer.status, text.includes(message), text.includes(wayBack)]).toEqual([path, 404, true, true])
  }
  const data = await get('/nothing/here/index.pageContext.json', '*/*')
  expect(data.headers.get('content-type')).toContain('application/json')
  expect(await data.json()).toMatchObject({ abortStatusCode: 404 })
})

test('shows a readable 429 page in a browser, and still serves cached pages', async () => {
  expect((await get('/about')).status).toBe(200)
  const statuses: number[] = []
  for (let number = 0; number < 5; number++) statuses.push((await get('/login')).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429])
  const refused = await get('/paste/none')
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toContain('<p>Too many requests from your network. Please try again in')
  expect(await (await get('/login', '*/*')).json()).toMatchObject({ success: false })
  expect((await get('/about')).status).toBe(200)
  expect((await get('/nothing')).status).toBe(429)
})
