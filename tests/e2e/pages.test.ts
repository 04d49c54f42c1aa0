import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { type BrowserSite, expect, expectAccessible, MODULES, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { seed } from '#tests/helpers/siteProcess.ts'

let site: BrowserSite
let threadPath: string
beforeAll(async () => {
  site = await startBrowserSite()
  await seed(site.location, '--threads 60 --comments 40 --pictures 6 --board tech')
  const { threads } = await json('/api/dtpchan/boards/tech/threads')
  const busiest = [...threads].sort((a, b) => b.commentCount - a.commentCount)[0]
  threadPath = `/dtpchan/board/tech/thread/${busiest.id}`
})
afterAll(() => site.close())

const get = (path: string) => fetch(`${site.server.origin}${path}`, { redirect: 'manual' })
// biome-ignore lint/suspicious/noExplicitAny: tests read responses as any client would
const json = async (path: string): Promise<any> => (await get(path)).json()
const html = async (path: string) => (await get(path)).text()
const textOf = (source: string) =>
  source
    .replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, '')
    .replace(/&gt;/g, '>')
    .replace(/&lt;/g, '<')
    .replace(/&quot;/g, '"')
    .replace(/&#(x27|39);/g, "'")
    .replace(/&amp;/g, '&')

describe('without script', () => {
  test('renders boards, threads, comments and replies', async () => {
    expectValue(textOf(await html('/dtpchan'))).toContain('/tech/')
    const { threads } = await json('/api/dtpchan/boards/tech/threads')
    const board = await html('/dtpchan/board/tech')
    for (const thread of threads) {
      expectValue(textOf(board)).toContain(thread.title)
      expectValue(board).toContain(`href="/dtpchan/board/tech/thread/${thread.id}"`)
    }
    const id = threadPath.split('/').at(-1)
    const { thread } = await json(`/api/dtpchan/boards/tech/threads/${id}`)
    const page = await html(threadPath)
    for (const comment of thread.comments) {
      expectValue(page).toContain(` id=p${comment.id} `)
      for (const reply of comment.replies) expectValue(page).toContain(` id=p${reply.id} `)
    }
    expectValue(textOf(page)).toContain(`Comments (${thread.commentCount})`)
  })

  test('links all older threads', async () => {
    const first = await html('/dtpchan/board/tech')
    const older = /href="(\/dtpchan\/board\/tech\?cursor=[^"]+)"/.exec(first)?.[1]?.replace(/&amp;/g, '&')
    const second = await html(older ?? '')
    expectValue(second.match(/<article/g)).toHaveLength(10)
    // No thread is older than this cursor.
    expectValue((await get('/dtpchan/board/tech?cursor=0-1')).status).toBe(404)
  })

  test('lists every documented call on the page of the API', async () => {
    const { paths } = await json('/api/openapi.json')
    const source = await html('/api')
    for (const path of Object.keys(paths)) expectValue(source).toContain(`>${path}</code>`)
    // The same data for a navigation, at a URL below /api.
    const { groups } = (await json('/api/index.pageContext.json')).data
    expectValue(groups.flatMap(({ calls }: { calls: object[] }) => calls)).toHaveLength(
      Object.values(paths as Record<string, object>).flatMap((methods) => Object.keys(methods)).length,
    )
  })

  test('gives each page a unique title, a description and one h1', async () => {
    const seen = new Set<string>()
    for (const path of ['/', '/login', '/dtpchan', '/dtpchan/board/tech', threadPath]) {
      const source = await html(path)
      const title = /<title>([^<]+)<\/title>/.exec(source)?.[1] ?? ''
      expectValue(title.length).toBeGreaterThan(3)
      expectValue(seen.has(title)).toBe(false)
      seen.add(title)
      expectValue(source).toMatch(/<meta name="description" content="[^"]{10,}"/)
      expectValue(source.match(/<h1/g)).toHaveLength(1)
      expectValue(source).toContain('<html lang="en"')
      expectValue(source).not.toMatch(/ style="/)
    }
  })
})

describe('status codes', () => {
  test.each([
    ['/dtpchan/board/nowhere', 'Board not found'],
    ['/dtpchan/board/nowhere/thread/1', 'Board not found'],
    ['/dtpchan/board/%F0%9F%92%A9', 'Board not found'],
    ['/dtpchan/board/tech/thread/999999', 'Thread not found'],
    ['/dtpchan/board/tech/thread/abc', 'Thread not found'],
    ['/no/such/page', 'Page not found'],
    ['/%E0%A4%A', 'Page not found'],
  ])('shows a 404 in the site’s layout for %s', async (path, text) => {
    const answer = await get(path)
    expectValue(answer.status).toBe(404)
    const source = await answer.text()
    expectValue(textOf(source)).toContain(text)
    expectValue(source).toContain('Radio player')
    expectValue(source).not.toContain('999999')
  })

  test('links the board from a missing thread, and all boards from a missing board', async () => {
    const backFrom = async (path: string) =>
      /href="([^"]+)"[^>]*>(Back to [^<]+)/.exec(await (await get(path)).text())?.slice(1)
    expectValue(await backFrom('/dtpchan/board/tech/thread/999999')).toEqual(['/dtpchan/board/tech', 'Back to /tech/'])
    expectValue(await backFrom('/dtpchan/board/nowhere/thread/1')).toEqual(['/dtpchan', 'Back to DTPChan'])
  })

  test.runIf(isDeep)('offers the three threads with the latest activity on a missing page', async () => {
    const { boards } = await json('/api/dtpchan/boards')
    const lists = await Promise.all(
      boards.map(async ({ id }: { id: string }) => (await json(`/api/dtpchan/boards/${id}/threads`)).threads),
    )
    const latest = lists.flat().sort((a, b) => b.lastActivity.localeCompare(a.lastActivity) || b.id - a.id)
    const page = await site.visit('/no/such/page')
    const offered = page.getByRole('region', { name: 'Live threads' }).getByRole('link')
    await expect(offered).toHaveCount(3)
    const paths = await offered.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expectValue(paths).toEqual(latest.slice(0, 3).map(({ boardId, id }) => `/dtpchan/board/${boardId}/thread/${id}`))
  })

  test('sends the security policy with every response', async () => {
    for (const path of ['/', '/dtpchan', '/nope', '/api/nope', '/api/dtpchan/boards', '/favicon.svg', '/healthz']) {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expectValue(policy, path).toContain("script-src 'self';style-src 'self';")
      expectValue(policy).toContain("default-src 'none'")
      expectValue(policy).toContain("frame-ancestors 'none'")
      expectValue(policy).not.toContain('unsafe')
      expectValue(headers.get('x-content-type-options')).toBe('nosniff')
      expectValue(headers.get('referrer-policy')).toBeTruthy()
    }
  })
})

test('sets the theme before modules run, without an inline script', async () => {
  const html = await (await get('/')).text()
  const [, early = ''] = /<script src="(\/assets\/early-\w+\.js)"><\/script>\s*<\/head>/.exec(html) ?? []
  expectValue((await get(early)).headers.get('cache-control')).toContain('immutable')
  // The name has the hash of another build. Browsers and CDNs would keep a wrong script for a year.
  expectValue((await get(early.replace(/\w+(?=\.js)/, '0123456789'))).status).toBe(404)
  expectValue(html).not.toMatch(/<script>|<style/)

  const page = await site.visit('/robots.txt', { colorScheme: 'light' })
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.route(MODULES, (route) => route.abort())
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('moves the focus into a modal dialog, traps it, and restores it', async () => {
  const page = await site.visit(threadPath)
  const opener = page.getByRole('button', { name: 'Filters', exact: true })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('board.filtersTitle') })
  await expect(dialog.locator(':focus')).toHaveCount(1)
  for (let number = 0; number < 25; number++) {
    await page.keyboard.press('Tab')
    const outside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    )
    expectValue(outside).toBe(false)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('reaches the end of a long thread with the End key', async () => {
  const page = await site.visit(threadPath)
  // The web fonts change the page's height.
  await expect(page.locator('html')).not.toHaveAttribute('data-fonts', 'late')
  const distance = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.keyboard.press('End')
  await expect.poll(distance).toBeLessThan(height / 10)
  // Comments that come into view while the page scrolls may be higher than estimated, so the end moves.
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return distance()
    })
    .toBeLessThan(2)
})

test.runIf(isDeep)(
  'reserves enough height for posts that are not laid out, so that their links do not overlap',
  async () => {
    const page = await site.visit(threadPath, { viewport: PHONE })
    await expectAccessible(page)
    await page.goto('/dtpchan/board/tech')
    await expectAccessible(page)
  },
)

test.runIf(isDeep)('finds text of a post that is not laid out yet', async () => {
  const { thread } = await json(`/api/dtpchan/boards/tech/threads/${threadPath.split('/').at(-1)}`)
  const comments: { id: number; content: string }[] = thread.comments
  // Lines without markup that no other post repeats.
  const lines = comments.slice(9, -20).flatMap(({ id, content }) =>
    content
      .split('\n')
      .filter((line) => /^\w[\w ,.]{15,}$/.test(line) && JSON.stringify(thread).split(line).length === 2)
      .map((line) => ({ id, line })),
  )
  const { id, line } = lines.at(-1) ?? { id: 0, line: '' }
  const post = `#p${id}`
  const page = await site.visit(threadPath)
  const isLaidOut = () =>
    page
      .locator(post)
      .evaluate((element) => element.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
  expectValue(await isLaidOut()).toBe(false)
  const isFound = await page.evaluate(
    (text) => (window as unknown as { find: (text: string) => boolean }).find(text),
    line,
  )
  expectValue(isFound).toBe(true)
  await expect(page.locator(post)).toBeInViewport()
  expectValue(await isLaidOut()).toBe(true)
})

test('scrolls to the post that the URL names', async () => {
  const id = threadPath.split('/').at(-1)
  const { thread } = await json(`/api/dtpchan/boards/tech/threads/${id}`)
  const far = thread.comments.at(-3).id
  const page = await site.visit(`${threadPath}#p${far}`)
  await expect(page.locator(`#p${far}`)).toBeInViewport()
})
