import { languages } from '#src/contract/languages.ts'
import type { Tag } from './changeLog.ts'
import type { CacheablePage } from './pageCache.ts'

type CacheRule = Partial<Pick<CacheablePage, 'maxAgeMs' | 'showsFailures' | 'waitsForLatest'>>

/** `tags` is undefined for forms and for what only one visitor sees: such pages are not cached. */
type SitePage = CacheRule & {
  tags?: Tag[]
  /** false for pages that search engines must not index */
  isListed: boolean
}

const DEFAULT_MAX_AGE_MS = 60_000
/** Limits the age of radio data: the radio does not publish events, and already caches responses for ten seconds. */
const NOW_PLAYING_MAX_AGE_MS = 5_000
const BROADCASTS_MAX_AGE_MS = 2_000

/**
 * The pages whose URL has no parameter, without the admin area. The site map lists them, the cache keeps them, and no new
 * board gets the name of one.
 */
export const sitePages: Readonly<Record<string, SitePage>> = {
  '/': { isListed: true, tags: ['boards', 'threads', 'news', 'shows'], maxAgeMs: NOW_PLAYING_MAX_AGE_MS },
  '/about': { isListed: true, tags: [] },
  '/archive': { isListed: true, tags: ['shows'], maxAgeMs: BROADCASTS_MAX_AGE_MS, showsFailures: true },
  '/radio': { isListed: true, tags: ['shows'], maxAgeMs: NOW_PLAYING_MAX_AGE_MS },
  '/visualizer': { isListed: true, tags: [] },
  '/today-in-tech': { isListed: true, tags: ['news'] },
  '/debauched-blog': { isListed: true, tags: ['news'] },
  '/dtpchan': { isListed: true, tags: ['boards', 'threads'] },
  '/dtpchan/all': { isListed: true, tags: ['boards', 'threads'] },
  '/dtpchan/log': { isListed: true, tags: ['log'] },
  '/paste-service': { isListed: true },
  '/programs-we-love': { isListed: true, tags: ['programs'] },
  '/password-generator': { isListed: true, tags: [] },
  '/image-sharing': { isListed: true },
  '/api': { isListed: true, tags: [] },
  '/favourites': { isListed: false, tags: [] },
  '/go-live': { isListed: false, tags: [] },
  '/song-requests': { isListed: false, tags: ['shows'], maxAgeMs: NOW_PLAYING_MAX_AGE_MS },
  '/account': { isListed: false },
  '/appeal': { isListed: false },
  '/login': { isListed: false },
  '/report': { isListed: false },
  '/search': { isListed: false },
}

/** Query parameters that select another page. */
const PARAMETERS = ['page', 'source', 'q', 'category', 'sort', 'filter', 'streamer', 'before', 'cursor']

const LANGUAGES = languages.join('|')
const ofBoard = (id: string): Tag[] => ['boards', `board:${id}`]
const ofThread = (id: string): Tag[] => ['boards', `thread:${Number(id)}`]

/** Rules for other pages and texts that look the same to every visitor. */
const RULES: (CacheRule & { path: RegExp; tags: (captured: string) => Tag[] })[] = [
  { path: /^\/radio\/schedule\.ics$/, tags: () => ['shows'] },
  { path: /^\/archive\/(?:streamer\/[1-9]\d{0,14}\/)?podcast\.xml$/, tags: () => ['shows'] },
  { path: /^\/archive\/broadcast\/[1-9]\d{0,9}\/chapters\.json$/, tags: () => ['shows'] },
  { path: /^\/today-in-tech\/feed\.(?:atom|json)$/, tags: () => ['news'] },
  {
    path: /^\/dtpchan\/board\/([a-z0-9-]{1,40})(?:\/(?:catalog|archive|feed\.(?:atom|json)))?$/,
    tags: ofBoard,
  },
  {
    path: new RegExp(`^/dtpchan/board/([a-z0-9-]{1,40})/(?:page|catalog)\\.(?:${LANGUAGES})\\.json$`),
    tags: ofBoard,
    waitsForLatest: true,
  },
  {
    path: /^\/dtpchan\/board\/[a-z0-9-]{1,40}\/thread\/([1-9]\d{0,14})(?:\/feed\.(?:atom|json))?$/,
    tags: ofThread,
  },
  // Programs compare versions, so none may be stale.
  { path: /^\/boards\.json$/, tags: () => ['boards'], waitsForLatest: true },
  {
    path: /^\/([a-z0-9-]{1,40})\/(?:threads|catalog|archive|0|[1-9]\d?)\.json$/,
    tags: ofBoard,
    waitsForLatest: true,
  },
  { path: /^\/[a-z0-9-]{1,40}\/(?:thread|res)\/([1-9]\d{0,14})\.json$/, tags: ofThread, waitsForLatest: true },
  { path: /^\/sitemap(?:-pages|-threads-[1-9]\d{0,8})?\.xml$/, tags: () => ['boards', 'threads', 'news'] },
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

function findRule(path: string): (CacheRule & { tags?: Tag[] }) | undefined {
  if (sitePages[path]) return sitePages[path]
  for (const { path: pattern, tags, ...rule } of RULES) {
    const match = pattern.exec(path)
    if (match) return { ...rule, tags: tags(match[1] ?? '') }
  }
  return undefined
}

/** Returns null for URLs that are not cached: private pages, forms and unknown paths. */
export function findCacheablePage(url: string): CacheablePage | null {
  const [requestedPath, query] = splitUrl(url)
  const path = requestedPath.replace(PAGE_DATA, '') || '/'
  const rule = findRule(path)
  if (!rule?.tags) return null
  const asked = new URLSearchParams(query)
  const kept = new URLSearchParams()
  for (const name of PARAMETERS) {
    const [value, ...duplicates] = asked.getAll(name)
    if (duplicates.length > 0) return null
    if (value !== undefined) kept.set(name, value)
  }
  return {
    url: kept.size > 0 ? `${requestedPath}?${kept}` : requestedPath,
    // Every page shows the notice about switches.
    tags: [...rule.tags, ...(/\.\w+$/.test(path) ? [] : (['site'] as const))],
    maxAgeMs: rule.maxAgeMs ?? DEFAULT_MAX_AGE_MS,
    showsFailures: rule.showsFailures ?? false,
    waitsForLatest: rule.waitsForLatest ?? false,
    // Open pages read the data of others after an event, so they must get the latest version.
    isShared: !/\.\w+$/.test(requestedPath),
    isAfterWrite: asked.has(AFTER_WRITE),
  }
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
