import { articlesInput } from '#src/contract/newsForms.ts'
import { parseCursor, writeCursor } from '#src/contract/threadCursor.ts'
import type { PageName, Tag } from './pageCache.ts'

/** A page that is the same for everybody. */
type PublicPage = {
  path: RegExp
  /** by what its path captured */
  tags: (captured: string) => Tag[]
  /** ms, where it shows what no change tells of */
  maxAge?: number
  /** there is no end of such pages */
  endless?: boolean
  /** it is about a service of others: that this is away is what it has to say then */
  tellsFailure?: boolean
  /** its readers have the previous version, so a request waits for the version after the last change */
  awaited?: boolean
  /** the part of a query that makes another page of it: empty for none; null where nothing is known of such a page */
  query?: (asked: URLSearchParams) => string | null
}

const MINUTE = 60_000
/** What is on air, and what shows there are: the radio itself remembers its answers for ten seconds. */
const ON_AIR = 5_000
const SHOWS = 2_000

const PAGES: PublicPage[] = [
  { path: /^\/$/, tags: () => ['boards', 'threads', 'news'], maxAge: ON_AIR },
  { path: /^\/(?:about|visualizer|debauched-blog|password-generator)$/, tags: () => [] },
  { path: /^\/archive$/, tags: () => [], maxAge: SHOWS, tellsFailure: true, query: only('streamer') },
  { path: /^\/programs-we-love$/, tags: () => ['programs'], query: only('q', 'category') },
  { path: /^\/today-in-tech$/, tags: () => ['news'], query: newsQuery },
  { path: /^\/today-in-tech\/feed\.atom$/, tags: () => ['news'] },
  { path: /^\/dtpchan$/, tags: () => ['boards'] },
  { path: /^\/dtpchan\/board\/([a-z0-9-]{1,40})$/, tags: (id) => ['boards', `board:${id}`], query: boardQuery },
  {
    path: /^\/dtpchan\/board\/([a-z0-9-]{1,40})\/page\.json$/,
    tags: (id) => ['boards', `board:${id}`],
    awaited: true,
    query: boardQuery,
  },
  { path: /^\/dtpchan\/board\/([a-z0-9-]{1,40})\/feed\.atom$/, tags: (id) => ['boards', `board:${id}`] },
  {
    path: /^\/dtpchan\/board\/[a-z0-9-]{1,40}\/thread\/([1-9]\d{0,14})(?:\/feed\.atom)?$/,
    tags: (id) => ['boards', `thread:${Number(id)}`],
  },
  { path: /^\/sitemap(?:-pages)?\.xml$/, tags: () => ['boards', 'threads', 'news'] },
  { path: /^\/sitemap-threads-[1-9]\d{0,8}\.xml$/, tags: () => ['boards', 'threads'], endless: true },
]

/** Every page's path as its folder in `pages` is named; `@` stands for any text. */
const ROUTES = [
  '',
  'about',
  'account',
  'archive',
  'debauched-blog',
  'dtpchan',
  'dtpchan/board/@',
  'dtpchan/board/@/thread/@',
  'image-share/@',
  'image-share/@/delete',
  'image-sharing',
  'login',
  'password-generator',
  'paste-service',
  'paste/@',
  'paste/@/delete',
  'programs-we-love',
  'today-in-tech',
  'visualizer',
].map((route) => route.split('/'))

/** Data of a page for a browser that is here already. */
const DATA = /\/index\.pageContext\.json$/

/**
 * The name of the page an address leads to, and the address without noise; null for what is not kept: pages that are
 * somebody's own, forms, and whatever does not exist.
 */
export function namePage(address: string): { name: PageName; url: string } | null {
  const [written = '', ...asked] = address.split('?')
  const path = written.replace(DATA, '') || '/'
  for (const page of PAGES) {
    const found = page.path.exec(path)
    if (!found) continue
    const query = page.query ? page.query(new URLSearchParams(asked.join('?'))) : ''
    if (query === null) return null
    const url = query ? `${written}?${query}` : written
    return {
      url,
      name: {
        key: url,
        endless: page.endless ?? query !== '',
        tags: page.tags(found[1] ?? ''),
        maxAge: page.maxAge ?? MINUTE,
        tellsFailure: page.tellsFailure ?? false,
        awaited: page.awaited ?? false,
      },
    }
  }
  return null
}

/**
 * Returns null for the URL of a page. For any other it returns the one URL whose answer, a 404, stands for all of its
 * kind: the parts of the site have error pages of their own.
 */
export function unknownPageUrl(url: string): string | null {
  const [written = ''] = url.split('?')
  const segments = written.replace(DATA, '').split('/').filter(Boolean).map(decodeURIComponent)
  const path = segments.length > 0 ? segments : ['']
  const isPage = (route: string[]) =>
    route.length === path.length && route.every((part, at) => part === '@' || part === path[at])
  if (ROUTES.some(isPage)) return null
  const part = ROUTES.find(([first]) => first === path[0])?.[0] ?? '-'
  return `/${part}/-/-/-${DATA.exec(written)?.[0] ?? ''}`
}

/**
 * The address of a kept page where this one is another spelling of it: with letters written as percent signs and
 * numbers, or a slash at its end. Null for every other address.
 */
export function plainAddress(address: string): string | null {
  const [written = '', ...asked] = address.split('?')
  const plain = decodeURIComponent(written).replace(/(?<=.)\/$/, '')
  if (plain === written || plain.includes('?')) return null
  return namePage([plain, ...asked].join('?'))?.url ?? null
}

/** What is no cursor shows the newest threads. */
function boardQuery(asked: URLSearchParams): string | null {
  const [text, ...more] = asked.getAll('cursor')
  if (more.length > 0) return null
  const cursor = parseCursor(text)
  return cursor ? `cursor=${writeCursor(cursor)}` : ''
}

function newsQuery(asked: URLSearchParams): string | null {
  const query = only('page', 'source')(asked)
  const [page, source] = [asked.get('page') ?? undefined, asked.get('source') || undefined]
  const isPage = page === undefined || /^[1-9]\d{0,6}$/.test(page)
  return isPage && articlesInput.safeParse({ page: page && Number(page), source }).success ? query : null
}

/** These fields alone, in this order; none of them twice. */
function only(...fields: string[]): (asked: URLSearchParams) => string | null {
  return (asked) => {
    const query = new URLSearchParams()
    for (const field of fields) {
      const [value, ...more] = asked.getAll(field)
      if (more.length > 0) return null
      if (value) query.set(field, value)
    }
    return query.toString()
  }
}
