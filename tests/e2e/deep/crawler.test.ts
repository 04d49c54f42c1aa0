import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { post as postTable, thread as threadTable } from '#db/schema/index.ts'
import { addArticles } from '#tests/helpers/articles.ts'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { type CrawledUrl, crawl, fetchUrl, localPath, type PageContent } from '#tests/helpers/crawl.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { findSchemaErrors } from '#tests/helpers/schemaOrg.ts'
import { createAdminClient } from '#tests/helpers/siteClient.ts'
import { seed } from '#tests/helpers/siteProcess.ts'
import { childText, findAll, parseXml } from '#tests/helpers/xml.ts'

/** SITE_URL of the site; the tests send requests to another origin. */
const ORIGIN = 'http://dtp.example.org'
const HOSTILE = '</script><script>window.ran=1</script><!--<img src=x onerror=window.ran=1> "\' & -->'
/** Ends with a line separator, which broke scripts in older browsers. The site does not allow it in titles. */
const HOSTILE_TEXT = `${HOSTILE} \u2028`

let site: BrowserSite
let crawled: Map<string, CrawledUrl>
let threads: string[]
let hostileThread: string
let deletedThread: string
const secrets: string[] = []

beforeAll(async () => {
  site = await startBrowserSite({ SITE_URL: ORIGIN })
  await seedContent()
  crawled = await crawl(site.server.origin)
})
afterAll(() => site.close())

/** Creates boards, a board of several pages, images, news, a deleted thread, and a paste and an image with secret URLs. */
async function seedContent() {
  const { origin } = site.server
  await seed(site.location, '--threads 12 --comments 60 --pictures 6 --board tech')
  const database = await openDatabase({ ...site.location, mode: 'command' })
  const { db } = database
  // Adds 104 threads with the same title and time.
  const lastActivity = new Date(Date.now() - 60_000)
  const ids = Array.from({ length: 104 }, (_, index) => 1_000_000 + index)
  await db.insert(threadTable).values(ids.map((id) => ({ id, boardId: 'random', title: 'Daily thread', lastActivity })))
  await db
    .insert(postTable)
    .values(ids.map((id) => ({ id, threadId: id, author: 'gl1tch', content: '.', createdAt: lastActivity })))
  await addArticles(
    db,
    Array.from({ length: 30 }, (_, index) => ({
      title: `Article ${index} </script>`,
      source: index % 3 ? 'lwn.net' : 'hackaday.com',
    })),
  )
  await database.close()

  const client = await createAdminClient(origin)
  const at = '/api/dtpchan/boards/tech/threads'
  const picture = new Blob([new Uint8Array(await stillImage(40, 30).png().toBuffer())], { type: 'image/png' })
  const made = await client.post(at, {
    title: HOSTILE,
    content: HOSTILE_TEXT,
    author: HOSTILE.slice(0, 60),
    image: picture,
  })
  hostileThread = `/dtpchan/board/tech/thread/${made.thread.id}`
  await client.post(`${at}/${made.thread.id}/comments`, { content: HOSTILE_TEXT })

  const deleted = await client.post(at, { title: 'Deleted', content: 'text' })
  deletedThread = `/dtpchan/board/tech/thread/${deleted.thread.id}`
  await client.call('DELETE', `${at}/${deleted.thread.id}`)

  const paste = { content: 'the secret text of a paste', expiryHours: 1 }
  const pasted = await client.call('POST', '/api/paste', paste)
  const shared = await client.post('/api/image-share', { image: picture, expiryHours: '1' })
  for (const url of [pasted.url, pasted.deleteUrl, shared.url, shared.deleteUrl]) {
    const { pathname, search } = new URL(url, ORIGIN)
    secrets.push(`${pathname}${search}`)
  }
  const boards = (await client.call('GET', '/api/dtpchan/boards')).boards as { id: string }[]
  threads = []
  for (const { id } of boards) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await client.call('GET', `/api/dtpchan/boards/${id}/threads${cursor && `?cursor=${cursor}`}`)
      threads.push(...page.threads.map((one: { id: number }) => `/dtpchan/board/${id}/thread/${one.id}`))
      cursor = page.nextCursor
    }
  }
}

const pages = () => [...crawled.values()].flatMap((visit) => (visit.page ? [{ ...visit, seen: visit.page }] : []))
const meta = (seen: PageContent, name: string) =>
  seen.metas.flatMap(([one, content]) => (one === name ? [content] : []))
const linksByRel = (seen: PageContent, name: string) => seen.links.filter((link) => link.rel === name)
const isNoindex = (seen: PageContent) => meta(seen, 'robots').includes('noindex')
const canonicalOf = (seen: PageContent) => linksByRel(seen, 'canonical')[0]?.href ?? ''
const indexable = () => pages().filter(({ seen }) => !isNoindex(seen))
const isThread = (path: string) => /\/thread\/\d+$/.test(path)
/** Returns each fault that `check` finds, with its path. */
const findFaults = <T extends { path: string }>(visits: T[], check: (visit: T) => unknown) =>
  visits.flatMap((visit) => {
    const faults = check(visit)
    return faults === true ? [] : [`${visit.path}: ${JSON.stringify(faults)}`]
  })

describe('a crawl from the home page without scripts', () => {
  test('finds every thread, including those on older pages, and no broken link', () => {
    expectValue(threads.length).toBeGreaterThan(130)
    expectValue(threads.filter((path) => !crawled.has(path))).toEqual([])
    expectValue([...crawled.keys()].filter((path) => path.includes('cursor=')).length).toBeGreaterThanOrEqual(2)
    expectValue([...crawled.keys()]).toEqual(
      expectValue.arrayContaining(['/today-in-tech?page=2', '/today-in-tech?source=lwn.net', '/about']),
    )
    expectValue(findFaults([...crawled.values()], ({ status, from }) => status === 200 || { status, from })).toEqual([])
  })

  test('finds the target of every fragment link', () => {
    const missing = pages().flatMap(({ path, seen }) =>
      seen.anchors
        .filter((href) => href.includes('#') && localPath(site.server.origin, href, path) !== null)
        .filter((href) => {
          const target = crawled.get(localPath(site.server.origin, href, path) ?? '')
          return !target?.page?.ids.has(decodeURIComponent(href.split('#')[1] ?? ''))
        })
        .map((href) => `${path} -> ${href}`),
    )
    expectValue(missing).toEqual([])
  })

  test('finds no secret URL and no third-party resource', () => {
    expectValue(secrets.filter((path) => crawled.has(path))).toEqual([])
    const foreign = pages().flatMap(({ path, seen }) =>
      seen.loaded.filter((src) => localPath(site.server.origin, src, path) === null && !src.startsWith('data:')),
    )
    expectValue([...new Set(foreign)]).toEqual([])
  })
})

describe('every page', () => {
  test('has one h1, a language, a unique title and a description', () => {
    const faults = findFaults(pages(), ({ seen }) => {
      const { lang, titles, headings } = seen
      const [description = '', ...more] = meta(seen, 'description')
      const good = lang === 'en' && titles.length === 1 && headings.length === 1 && headings[0]?.trim() !== ''
      return (good && description.trim().length >= 20 && more.length === 0) || { lang, titles, headings, description }
    })
    expectValue(faults).toEqual([])
    // URLs with the same canonical URL count as one page.
    const titles = new Map(indexable().map(({ seen }) => [canonicalOf(seen), seen.titles[0] ?? '']))
    const twice = [...titles.values()].filter((title, index, list) => list.indexOf(title) !== index)
    expectValue(twice).toEqual([])
    expectValue([...titles.values()].filter((title) => !title.endsWith(' - DTP'))).toEqual([])
  })

  test('names a canonical URL whose page names itself', () => {
    const canonicalPath = (seen: PageContent) => canonicalOf(seen).slice(ORIGIN.length)
    const faults = findFaults(indexable(), ({ path, seen }) => {
      const canonical = canonicalOf(seen)
      if (linksByRel(seen, 'canonical').length !== 1 || !canonical.startsWith(`${ORIGIN}/`)) return canonical
      const claimed = crawled.get(canonicalPath(seen))
      return claimed?.page ? canonicalOf(claimed.page) === canonical || path : canonical
    })
    expectValue(faults).toEqual([])
    // Parameters that select content are part of the canonical URL.
    for (const path of ['/', '/today-in-tech?page=2', '/today-in-tech?source=lwn.net', ...threads]) {
      expectValue(canonicalPath(crawled.get(path)?.page as PageContent)).toBe(path)
    }
    const older = [...crawled.keys()].filter((path) => path.includes('cursor='))
    for (const path of older) expectValue(canonicalPath(crawled.get(path)?.page as PageContent)).toBe(path)
  })

  test('ignores unknown query parameters in the canonical URL and the title', async () => {
    for (const [path, canonical] of [
      ['/dtpchan?utm_source=x', '/dtpchan'],
      ['/dtpchan/board/random?cursor=nonsense&x=1', '/dtpchan/board/random'],
      ['/dtpchan/board/random?cursor=', '/dtpchan/board/random'],
      [`${hostileThread}?reply=1`, hostileThread],
      ['/today-in-tech?page=1&utm_medium=y', '/today-in-tech'],
      ['/today-in-tech?source=lwn.net&page=2&z', '/today-in-tech?page=2&source=lwn.net'],
      ['/programs-we-love?q=a', '/programs-we-love'],
    ] as const) {
      const { page: seen } = await fetchUrl(site.server.origin, path)
      expectValue(canonicalOf(seen as PageContent)).toBe(`${ORIGIN}${canonical}`)
      expectValue(seen?.titles).toEqual(
        (crawled.get(canonical) ?? (await fetchUrl(site.server.origin, canonical))).page?.titles,
      )
    }
  })

  test('has complete Open Graph tags with absolute URLs and an image that loads', async () => {
    const once = ['og:title', 'og:description', 'og:site_name', 'og:type', 'og:image', 'og:image:alt', 'twitter:card']
    const images = new Map<string, [string, string]>()
    const faults = findFaults(pages(), ({ seen }) => {
      const missing = once.filter((name) => meta(seen, name).length !== 1 || meta(seen, name)[0]?.trim() === '')
      const [image = ''] = meta(seen, 'og:image')
      images.set(image, [meta(seen, 'og:image:type')[0] ?? '', meta(seen, 'og:image:width')[0] ?? ''])
      const sized = [...meta(seen, 'og:image:width'), ...meta(seen, 'og:image:height')].map(Number)
      const good =
        missing.length === 0 &&
        image.startsWith(`${ORIGIN}/`) &&
        sized.length === 2 &&
        sized.every((size) => size > 0) &&
        meta(seen, 'og:title')[0] === seen.titles[0] &&
        meta(seen, 'og:description')[0] === meta(seen, 'description')[0] &&
        meta(seen, 'og:url').join() === (isNoindex(seen) ? '' : canonicalOf(seen))
      return good || { missing, image, sized, url: meta(seen, 'og:url') }
    })
    expectValue(faults).toEqual([])
    expectValue(images.size).toBeGreaterThan(5)
    for (const [image, [type]] of images) {
      const answer = await fetch(`${site.server.origin}${image.slice(ORIGIN.length)}`, { method: 'HEAD' })
      expectValue([image, answer.status, answer.headers.get('content-type')]).toEqual([image, 200, type])
    }
    const threadSeen = crawled.get(hostileThread)?.page as PageContent
    expectValue(meta(threadSeen, 'og:type')).toEqual(['article'])
    expectValue(meta(threadSeen, 'article:published_time')[0]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expectValue(meta(threadSeen, 'og:image')[0]).toBe(`${ORIGIN}${hostileThread}/preview.jpg`)
    expectValue(meta(threadSeen, 'twitter:card')).toEqual(['summary_large_image'])
  })

  test('has images with dimensions and alternative texts that load', async () => {
    const faults = findFaults(pages(), ({ seen }) => {
      const bad = seen.images.filter(
        ({ width, height, alt }) => !(Number(width) > 0 && Number(height) > 0) || alt === undefined,
      )
      return bad.length === 0 || bad
    })
    expectValue(faults).toEqual([])
    const sources = new Set(pages().flatMap(({ seen }) => seen.images.map(({ src = '' }) => src)))
    expectValue(sources.size).toBeGreaterThan(5)
    for (const src of sources) {
      const { status } = await fetch(`${site.server.origin}${src}`, { method: 'HEAD' })
      expectValue([src, status]).toEqual([src, 200])
    }
  })

  test('escapes script blocks', () => {
    const faults = findFaults(pages(), ({ seen }) => {
      const forbidden: Record<string, RegExp> = {
        'application/ld+json': /[<>&\u2028\u2029]/,
        // HTML for browsers with script (src/ui/Scripted.tsx)
        'text/html': /<[/]?script[\s>/]/i,
      }
      const bad = seen.scripts.filter(({ type, text }) => (forbidden[type] ?? /<(?!\\?[/]scripted-part>)/).test(text))
      return bad.length === 0 || bad
    })
    expectValue(faults).toEqual([])
  })

  test('has the complete structured data of its type', () => {
    const typesOf = (path: string) => {
      if (isThread(path)) return ['DiscussionForumPosting', 'BreadcrumbList']
      const isNotIndexed = /\/(?:post|catalog|archive)$/.test(path)
      if (path.startsWith('/dtpchan/board/') && !isNotIndexed) return ['BreadcrumbList']
      return path === '/' ? ['WebSite', 'Organization'] : []
    }
    const faults = findFaults(pages(), ({ path, seen }) => {
      const data = seen.scripts.filter(({ type }) => type === 'application/ld+json').map(({ text }) => JSON.parse(text))
      const types = data.map((one) => one['@type'])
      const missing = data.flatMap((one) => findSchemaErrors(one, ORIGIN))
      return (types.join() === typesOf(path.split('?')[0] ?? '').join() && missing.length === 0) || { types, missing }
    })
    expectValue(faults).toEqual([])
  })
})

describe('search engines', () => {
  const readMap = async (path: string) => {
    const { status, headers, body } = await fetchUrl(site.server.origin, path)
    expectValue([path, status, headers.get('content-type')]).toEqual([path, 200, 'application/xml; charset=utf-8'])
    return findAll(parseXml(body), 'loc').map(({ text }) => text)
  }

  test('get a sitemap of exactly the indexable pages', async () => {
    const robots = await fetchUrl(site.server.origin, '/robots.txt')
    const map = /^Sitemap: (.*)$/m.exec(robots.body)?.[1] ?? ''
    expectValue(map).toBe(`${ORIGIN}/sitemap.xml`)
    const files = await readMap(map.slice(ORIGIN.length))
    const listed = (await Promise.all(files.map((file) => readMap(file.slice(ORIGIN.length))))).flat()
    expectValue(new Set(listed).size).toBe(listed.length)
    // The sitemap lists threads, but not the older pages of a board.
    const expected = indexable()
      .map(({ seen }) => canonicalOf(seen))
      .filter((url) => !url.includes('?'))
    expectValue(listed.toSorted()).toEqual([...new Set(expected)].toSorted())
    const disallowed = [...robots.body.matchAll(/^Disallow: (\S+)$/gm)].map(([, start = '']) => start)
    expectValue(indexable().filter(({ path }) => disallowed.some((start) => path.startsWith(start)))).toEqual([])
  })

  test('find valid feeds of boards, threads and news', () => {
    const faults = findFaults(indexable(), ({ path, seen }) => {
      const [page = ''] = path.split('?')
      const expected = /^\/(dtpchan\/board\/|today-in-tech)/.test(page) ? [`${ORIGIN}${page}/feed.atom`] : []
      const feeds = linksByRel(seen, 'alternate').filter(({ type }) => type === 'application/atom+xml')
      if (feeds.map(({ href }) => href).join() !== expected.join()) return feeds
      const jsonFeeds = linksByRel(seen, 'alternate').filter(({ type }) => type === 'application/feed+json')
      if (jsonFeeds.map(({ href }) => href).join() !== expected.join().replace('.atom', '.json')) return jsonFeeds
      if (expected.length === 0) return true
      // The crawl finds a feed only through a visible link.
      const feed = crawled.get(`${page}/feed.atom`)
      if (!feed) return 'no visible link'
      const root = parseXml(feed.body)
      const address = `${ORIGIN}${page}`
      const alternate = root.children.find(({ attributes }) => attributes.rel === 'alternate')?.attributes.href
      return (
        (root.name === 'feed' && alternate === address && findAll(root, 'entry').length > 0) || childText(root, 'id')
      )
    })
    expectValue(faults).toEqual([])
  })

  test('are kept from missing, deleted and secret pages', async () => {
    const cases: [string, number][] = [
      ['/no/such/page', 404],
      ['/dtpchan/board/nowhere', 404],
      ['/dtpchan/board/tech/thread/999999999', 404],
      ['/today-in-tech?page=9999', 404],
      ['/paste/nothing', 404],
      [deletedThread, 410],
      ['/login', 200],
      ...secrets.map((path): [string, number] => [path, 200]),
    ]
    for (const [path, expected] of cases) {
      const { status, page: seen, headers, body } = await fetchUrl(site.server.origin, path)
      expectValue([path, status]).toEqual([path, expected])
      expectValue([path, meta(seen as PageContent, 'robots')]).toEqual([path, ['noindex']])
      expectValue([path, linksByRel(seen as PageContent, 'canonical'), meta(seen as PageContent, 'og:url')]).toEqual([
        path,
        [],
        [],
      ])
      expectValue(seen?.headings).toHaveLength(1)
      expectValue(seen?.titles[0]).toMatch(/.+ - DTP$/)
      if (!secrets.includes(path)) continue
      expectValue(headers.get('x-robots-tag')).toBe('noindex')
      expectValue(body.slice(0, body.indexOf('</head>'))).not.toContain('secret text')
      if (path.startsWith('/paste/')) expectValue(meta(seen as PageContent, 'og:image')).toEqual([`${ORIGIN}/og.png`])
    }
    expectValue((await fetchUrl(site.server.origin, `${deletedThread}/feed.atom`)).status).toBe(410)
  })
})

test('runs no script of a hostile thread and opens its feed in a new tab', async () => {
  const page = await site.visit(hostileThread)
  await expect(page).toHaveTitle(`${HOSTILE} - /tech/ No. ${hostileThread.split('/').at(-1)} - DTP`)
  const read = await page.evaluate(async () => {
    const data = [...document.querySelectorAll('script[type="application/ld+json"]')]
    const feeds = [...document.querySelectorAll<HTMLLinkElement>('link[type="application/atom+xml"]')]
    const feed = await (await fetch(new URL(feeds[0]?.href ?? '').pathname)).text()
    const parsed = new DOMParser().parseFromString(feed, 'application/xml')
    return {
      ran: 'ran' in window,
      headline: JSON.parse(data[0]?.textContent ?? '{}').headline,
      comment: JSON.parse(data[0]?.textContent ?? '{}').comment[0].text,
      broken: parsed.querySelector('parsererror')?.textContent,
      titles: [...parsed.querySelectorAll('entry > title')].map(({ textContent }) => textContent),
    }
  })
  expectValue(read).toMatchObject({ ran: false, headline: HOSTILE, broken: undefined })
  expectValue(read.comment).toContain('<script>window.ran=1</script>')
  expectValue(read.titles).toContain(HOSTILE)

  // The feed opens in a new tab, because loading it in this tab would stop the radio.
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Atom feed' }).click()
  await expect.poll(async () => new URL((await opened).url()).pathname).toBe(`${hostileThread}/feed.atom`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE)

  // A client-side navigation updates title and description.
  await page.getByRole('link', { name: '/tech/' }).first().click()
  await expect(page).toHaveTitle(/^\/tech\/ - .* - DTP$/)
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /A board on DTPChan/)
})
