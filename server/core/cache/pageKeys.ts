import { languages } from '#src/contract/languages.ts'
import { parseBefore } from '#src/contract/log.ts'
import { articlesInput } from '#src/contract/news.ts'
import { catalogViewPath, formatCursor, parseCatalogView, parseCursor } from '#src/contract/thread.ts'
import type { Tag } from './changeLog.ts'
import type { CacheablePage } from './pageCache.ts'

/** A rule for pages that look the same to every visitor. */
type PageRule = {
  path: RegExp
  tags: (captured: string) => Tag[]
  /** Returns the query parameters that select another page, or null if the cache must not store the page. */
  query?: (query: URLSearchParams) => string | null
} & Partial<Pick<CacheablePage, 'maxAgeMs' | 'isUnbounded' | 'showsFailures' | 'waitsForLatest'>>

const DEFAULT_MAX_AGE_MS = 60_000
/** Limits the age of radio data: the radio does not publish events, and already caches responses for ten seconds. */
const NOW_PLAYING_MAX_AGE_MS = 5_000
const BROADCASTS_MAX_AGE_MS = 2_000

/** Programs read whole boards, which must not evict the pages of visitors, and compare versions, so none may be stale. */
const FOR_PROGRAMS = { isUnbounded: true, waitsForLatest: true } as const

const LANGUAGES = languages.join('|')

const PAGES: PageRule[] = [
  { path: /^\/$/, tags: () => ['boards', 'threads', 'news', 'shows'], maxAgeMs: NOW_PLAYING_MAX_AGE_MS },
  { path: /^\/(?:about|api|favourites|go-live|visualizer|password-generator)$/, tags: () => [] },
  { path: /^\/radio$/, tags: () => ['shows'], maxAgeMs: NOW_PLAYING_MAX_AGE_MS },
  { path: /^\/radio\/schedule\.ics$/, tags: () => ['shows'] },
  { path: /^\/debauched-blog$/, tags: () => ['news'] },
  {
    path: /^\/archive$/,
    tags: () => ['shows'],
    maxAgeMs: BROADCASTS_MAX_AGE_MS,
    showsFailures: true,
    query: keepParams('streamer'),
  },
  { path: /^\/song-requests$/, tags: () => ['shows'], query: keepParams('q'), maxAgeMs: NOW_PLAYING_MAX_AGE_MS },
  { path: /^\/archive\/(?:streamer\/[1-9]\d{0,14}\/)?podcast\.xml$/, tags: () => ['shows'], isUnbounded: true },
  { path: /^\/archive\/broadcast\/[1-9]\d{0,9}\/chapters\.json$/, tags: () => ['shows'], isUnbounded: true },
  { path: /^\/programs-we-love$/, tags: () => ['programs'], query: keepParams('q', 'category') },
  { path: /^\/today-in-tech$/, tags: () => ['news'], query: newsQuery },
  { path: /^\/today-in-tech\/feed\.(?:atom|json)$/, tags: () => ['news'] },
  { path: /^\/dtpchan\/log$/, tags: () => ['log'], query: logQuery },
  { path: /^\/dtpchan\/all$/, tags: () => ['boards', 'threads'], query: boardQuery },
  { path: /^\/dtpchan$/, tags: () => ['boards', 'threads'] },
  {
    path: /^\/dtpchan\/board\/([a-z0-9-]{1,40})\/catalog$/,
    tags: (id) => ['boards', `board:${id}`],
    query: catalogQuery,
  },
  {
    path: new RegExp(`^/dtpchan/board/([a-z0-9-]{1,40})/catalog\\.(?:${LANGUAGES})\\.json$`),
    tags: (id) => ['boards', `board:${id}`],
    waitsForLatest: true,
    query: catalogQuery,
  },
  {
    path: /^\/dtpchan\/board\/([a-z0-9-]{1,40})\/archive$/,
    tags: (id) => ['boards', `board:${id}`],
    query: boardQuery,
  },
  { path: /^\/dtpchan\/board\/([a-z0-9-]{1,40})$/, tags: (id) => ['boards', `board:${id}`], query: boardQuery },
  {
    path: new RegExp(`^/dtpchan/board/([a-z0-9-]{1,40})/page\\.(?:${LANGUAGES})\\.json$`),
    tags: (id) => ['boards', `board:${id}`],
    waitsForLatest: true,
    query: boardQuery,
  },
  { path: /^\/dtpchan\/board\/([a-z0-9-]{1,40})\/feed\.(?:atom|json)$/, tags: (id) => ['boards', `board:${id}`] },
  {
    path: /^\/dtpchan\/board\/[a-z0-9-]{1,40}\/thread\/([1-9]\d{0,14})(?:\/feed\.(?:atom|json))?$/,
    tags: (id) => ['boards', `thread:${Number(id)}`],
  },
  { path: /^\/boards\.json$/, tags: () => ['boards'], ...FOR_PROGRAMS },
  {
    path: /^\/([a-z0-9-]{1,40})\/(?:threads|catalog|archive|0|[1-9]\d?)\.json$/,
    tags: (id) => ['boards', `board:${id}`],
    ...FOR_PROGRAMS,
  },
  {
    path: /^\/[a-z0-9-]{1,40}\/(?:thread|res)\/([1-9]\d{0,14})\.json$/,
    tags: (id) => ['boards', `thread:${Number(id)}`],
    ...FOR_PROGRAMS,
  },
  { path: /^\/sitemap(?:-pages)?\.xml$/, tags: () => ['boards', 'threads', 'news'] },
  { path: /^\/sitemap-threads-[1-9]\d{0,8}\.xml$/, tags: () => ['boards', 'threads'], isUnbounded: true },
]

/** Returns the cache's name for a page in a language. Texts such as feeds have one language, and their URL is their key. */
export const languageKey = (language: string, url: string) => `${language} ${url}`

/** The query parameter of a page to which the author of a change is redirected. */
const AFTER_WRITE = 'wrote'

/** Makes a URL that no cache between the site and its visitors has a page for. */
export function addWriteMarker(url: string, now: Date): string {
  const [page = '', fragment] = url.split('#')
  const marked = `${page}${page.includes('?') ? '&' : '?'}${AFTER_WRITE}=${now.getTime()}`
  return fragment === undefined ? marked : `${marked}#${fragment}`
}

/** Vike requests a page's data at this URL during client-side navigation. */
const PAGE_DATA = /\/index\.pageContext\.json$/

/** Returns null for URLs that are not cached: private pages, forms and unknown paths. */
export function findCacheablePage(url: string): CacheablePage | null {
  const [requestedPath, query] = splitUrl(url)
  const path = requestedPath.replace(PAGE_DATA, '') || '/'
  for (const rule of PAGES) {
    const match = rule.path.exec(path)
    if (!match) continue
    const normalizedQuery = rule.query ? rule.query(new URLSearchParams(query)) : ''
    if (normalizedQuery === null) return null
    return {
      url: normalizedQuery ? `${requestedPath}?${normalizedQuery}` : requestedPath,
      // Every page shows the notice about switches.
      tags: [...rule.tags(match[1] ?? ''), ...(/\.\w+$/.test(path) ? [] : (['site'] as const))],
      maxAgeMs: rule.maxAgeMs ?? DEFAULT_MAX_AGE_MS,
      isUnbounded: rule.isUnbounded ?? normalizedQuery !== '',
      showsFailures: rule.showsFailures ?? false,
      waitsForLatest: rule.waitsForLatest ?? false,
      // Open pages read the data of others after an event, so they must get the latest version.
      isShared: !/\.\w+$/.test(requestedPath),
      isAfterWrite: new URLSearchParams(query).has(AFTER_WRITE),
    }
  }
  return null
}

/** Returns a cacheable page's URL if `url` is another spelling: percent-encoded letters or a trailing slash. */
export function canonicalPageUrl(url: string): string | null {
  const [requestedPath, query] = splitUrl(url)
  const path = decodeURIComponent(requestedPath).replace(/(?<=.)\/$/, '')
  if (path === requestedPath || path.includes('?')) return null
  return findCacheablePage(query === undefined ? path : `${path}?${query}`)?.url ?? null
}

function splitUrl(url: string): [path: string, query: string | undefined] {
  const [path = '', ...rest] = url.split('?')
  return [path, rest.length > 0 ? rest.join('?') : undefined]
}

function boardQuery(query: URLSearchParams): string | null {
  const [text, ...duplicates] = query.getAll('cursor')
  if (duplicates.length > 0) return null
  const cursor = parseCursor(text)
  return cursor ? `cursor=${formatCursor(cursor)}` : ''
}

function catalogQuery(query: URLSearchParams): string | null {
  const [sort, filter] = [query.getAll('sort'), query.getAll('filter')]
  if (sort.length > 1 || filter.length > 1) return null
  return catalogViewPath('', parseCatalogView({ sort: sort[0], filter: filter[0] })).split('?')[1] ?? ''
}

function logQuery(query: URLSearchParams): string | null {
  const [text, ...duplicates] = query.getAll('before')
  if (duplicates.length > 0) return null
  const before = parseBefore(text)
  return before === undefined ? '' : `before=${before}`
}

function newsQuery(query: URLSearchParams): string | null {
  const normalized = keepParams('page', 'source')(query)
  const [page, source] = [query.get('page') ?? undefined, query.get('source') || undefined]
  const isPageNumber = page === undefined || /^[1-9]\d{0,6}$/.test(page)
  return isPageNumber && articlesInput.safeParse({ page: page && Number(page), source }).success ? normalized : null
}

/** Keeps only these parameters, in this order. Rejects duplicates. */
function keepParams(...names: string[]): (query: URLSearchParams) => string | null {
  return (query) => {
    const normalized = new URLSearchParams()
    for (const name of names) {
      const [value, ...duplicates] = query.getAll(name)
      if (duplicates.length > 0) return null
      if (value) normalized.set(name, value)
    }
    return normalized.toString()
  }
}
