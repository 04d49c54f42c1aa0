import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toFormData } from '#tests/helpers/apiCalls.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'
import { type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

let place: TestDatabase
let site: SiteProcess
let client: SiteClient
let threads: string
let paste: string
beforeAll(async () => {
  place = await testDatabase()
  site = await spawnSite(place)
  ;({ client, threads } = await createBoardWithThread(site.origin, 'Packed'))
  const { url } = await client.call('POST', '/api/paste', { content: 'text', expiryHours: 1 })
  paste = new URL(url).pathname
})
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  await place.cleanup()
})

async function ask(path: string, encoding: string, init: RequestInit = {}) {
  const headers = { accept: 'text/html', 'accept-encoding': encoding }
  const answer = await fetch(`${site.origin}${path}`, { redirect: 'manual', ...init, headers })
  return { answer, html: await answer.text() }
}

const PAGES: [path: string, status: number][] = [
  ['/', 200],
  ['/login', 200],
  ['/account', 200],
  ['/admin', 200],
  ['/admin/queue', 200],
  ['/paste-service', 200],
  ['/image-sharing', 200],
  ['/report?kind=paste&item=x', 200],
  ['/appeal?token=x', 200],
  ['/search', 200],
  ['/search?q=word', 200],
  ['/dtpchan/board/packed/post', 200],
  ['/today-in-tech?page=1&page=2', 404],
  ['/no/such/page', 404],
  ['/paste/abcdefghijklmnopqrstuv', 404],
  ['/dtpchan/board/nowhere', 404],
]

describe.each(['br', 'gzip'])('as %s', (encoding) => {
  test.each(PAGES)('compresses %s', async (path, status) => {
    const { answer, html } = await ask(path, encoding)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/)
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(html.length / 3)
    expect(html).toMatch(/<\/html>\s*$/)
  })

  test('compresses the page of a paste, and the data of a page', async () => {
    for (const path of [paste, '/login/index.pageContext.json', '/api/index.pageContext.json']) {
      const { answer, html } = await ask(path, encoding)
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding])
      expect(html).toMatch(/^[<{]/)
    }
  })

  test('compresses the page of a refused form', async () => {
    const body = toFormData({ title: 'Kept title', content: '', author: 'ada' })
    const { answer, html } = await ask(threads, encoding, { method: 'POST', body })
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([400, encoding])
    expect(html).toContain('Kept title')
  })
})

test('sends pages as they are to clients without compression', async () => {
  for (const [path, status] of PAGES) {
    const { answer, html } = await ask(path, 'identity')
    expect([path, answer.status, answer.headers.get('content-encoding')]).toEqual([path, status, null])
    expect(html).toMatch(/<\/html>\s*$/)
  }
})

test('answers HEAD like GET, without a body', async () => {
  const { answer, html } = await ask('/login', 'br', { method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-encoding'), html]).toEqual([200, 'br', ''])
})
