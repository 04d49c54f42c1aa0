import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite({ SITE_URL: 'https://dtp.example.org/' })
})
afterAll(() => site.close())

const get = (url: string, method: 'GET' | 'HEAD' = 'GET') => site.app.inject({ method, url })

test('robots.txt names the sitemap and allows pages with noindex', async () => {
  const answer = await get('/robots.txt')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=600',
  })
  const lines = answer.body.trim().split('\n')
  expect(lines).toContain('Sitemap: https://dtp.example.org/sitemap.xml')
  expect(lines).toContain('User-agent: *')
  const disallowed = lines.flatMap((line) => /^Disallow: (.*)$/.exec(line)?.[1] ?? [])
  // robots.txt must allow these paths, because a crawler must read a page to see its noindex.
  for (const path of ['/paste/x', '/image-share/x', '/login', '/dtpchan/board/tech', '/dtpchan/uploads/a.png', '/']) {
    expect(disallowed.filter((start) => start !== '' && path.startsWith(start))).toEqual([])
  }
  expect(disallowed.filter((start) => '/api/dtpchan/boards'.startsWith(start))).toHaveLength(1)
  const head = await get('/robots.txt', 'HEAD')
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
    200,
    '',
    String(Buffer.byteLength(answer.body)),
  ])
})
