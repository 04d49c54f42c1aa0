import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { PublishedChange } from '#server/core/events/event.ts'
import { createPage, type Page, type RenderedPage } from './cachedPage.ts'
import { createChangeLog, type Tag } from './changeLog.ts'

export type CacheablePage = {
  /** the normalised URL, without parameters that do not change the page */
  url: string
  tags: readonly Tag[]
  maxAgeMs: number
  /** After a failed render, the client gets the failure instead of the previous version. */
  showsFailures: boolean
  /** Clients already have the previous version, so a request waits until the latest version is rendered. */
  waitsForLatest: boolean
  /** A CDN may keep the page for some seconds. */
  isShared?: boolean
  /** The client has just written, possibly through another process, so a request waits for a render that begins now. */
  isAfterWrite?: boolean
}
type Entry = Page & {
  tags: readonly Tag[]
  revision: number
  renderedAt: number
  reads: number
  freshUntil: number
  /** Until then, only authors of changes cause a render. */
  noRenderUntil: number
}
/** A render in progress. Requests that need changes made after its start wait for `next`. */
type Render = { revision: number; page: Promise<Page>; next?: Promise<Page> }

export type PageCache = ReturnType<typeof createPageCache>

/** Limit the wait for a render if there is a previous version: the database may hang. */
const READER_WAIT_MS = 1000
const AUTHOR_WAIT_MS = 5000
/** Limits retries: the minimum time after a failed render, in ms. */
const RETRY_MS = 2000
/** If a version with so many readers is outdated so soon, renders pause, so that a raid does not slow readers. */
const BUSY = { ms: 1000, reads: 20 }
const RENDER_PAUSE_MS = 500

/**
 * Creates a cache in which concurrent requests share one render. While a page is rendered again, the author of the
 * change waits; other visitors may get the previous version.
 * @param options.bytes limit for all pages in all encodings; 0 disables the cache
 * @param options.sharedSeconds time for which a CDN may keep a page; 0 makes it ask each time
 */
export function createPageCache({
  bytes,
  sharedSeconds = 0,
  clock = () => performance.now(),
  now,
}: {
  bytes: number
  sharedSeconds?: number
  clock?: () => number
  /** the time of day in ms */
  now?: () => number
}) {
  const maxSize = Math.max(1, bytes)
  const pages = new LRUCache<string, Entry>({ maxSize, maxEntrySize: Math.ceil(maxSize / 2) })
  const renders = new Map<string, Render>()
  let clearedAt = 0
  const changes = createChangeLog(now)
  const counters = { hits: 0, stale: 0, misses: 0, failures: 0 }

  const isFresh = (entry: Entry) => clock() < entry.freshUntil && changes.lastChange(entry.tags) <= entry.revision

  /** Drops all pages, also those that are being rendered. */
  function clear(): void {
    changes.expireAll()
    clearedAt = changes.revision()
    pages.clear()
  }

  /** After a takedown, no older version may be sent. */
  function dropErased(events: PublishedChange[]): void {
    if (events.some(({ change }) => change.kind === 'erased')) clear()
  }

  /** Returns the cached version if the render takes longer. Looks it up after the wait, in case of a takedown. */
  const withFallbackAfter = (ms: number, page: CacheablePage, render: Promise<Page>): Promise<Page> =>
    Promise.race([render, sleep(ms, null, { ref: false }).then(() => pages.get(page.url) ?? render)])

  /** Returns the render in progress if it includes the changes up to `minRevision`, otherwise the next render. */
  function renderAtLeast(page: CacheablePage, minRevision: number, render: () => Promise<RenderedPage>): Promise<Page> {
    const current = renders.get(page.url)
    if (!current) return startRender(page, render)
    if (current.revision >= minRevision) return current.page
    current.next ??= current.page.catch(() => {}).then(() => renders.get(page.url)?.page ?? startRender(page, render))
    return current.next
  }

  function startRender(page: CacheablePage, render: () => Promise<RenderedPage>): Promise<Page> {
    counters.misses++
    const revision = changes.revision()
    const result = render()
      .then(
        (rendered) => store(page, revision, rendered),
        (error) => {
          const previous = fallBack(page)
          if (!previous) throw error
          return previous
        },
      )
      .finally(() => renders.delete(page.url))
    renders.set(page.url, { revision, page: result })
    return result
  }

  /** Browsers still ask each time. A CDN sends an expired page once more, while it asks for the next one. */
  const withLifetime = (rendered: RenderedPage): RenderedPage => ({
    ...rendered,
    sharedHeaders: {
      ...rendered.sharedHeaders,
      'cache-control': `public, max-age=0, s-maxage=${sharedSeconds}, stale-while-revalidate=${sharedSeconds}`,
    },
  })

  async function store(page: CacheablePage, revision: number, fresh: RenderedPage): Promise<Page> {
    const rendered = page.isShared && sharedSeconds > 0 && fresh.outcome === 'cacheable' ? withLifetime(fresh) : fresh
    if (rendered.outcome === 'failed') return fallBack(page) ?? createPage(rendered)
    if (rendered.outcome === 'uncacheable') {
      pages.delete(page.url)
      return createPage(rendered)
    }
    const renderedAt = clock()
    const previous = pages.peek(page.url)
    const isBusy =
      !page.waitsForLatest &&
      previous !== undefined &&
      previous.reads >= BUSY.reads &&
      renderedAt - previous.renderedAt < BUSY.ms
    let size = rendered.body.length
    const entry: Entry = {
      ...createPage(rendered, (more) => {
        size += more
        if (pages.peek(page.url) !== entry) return
        // lru-cache does not update the size if the value is the same, so the entry is deleted first.
        pages.delete(page.url)
        pages.set(page.url, entry, { size })
      }),
      tags: page.tags,
      revision,
      renderedAt,
      reads: 0,
      freshUntil: renderedAt + page.maxAgeMs,
      noRenderUntil: isBusy ? renderedAt + RENDER_PAUSE_MS : 0,
    }
    // Until the new version is compressed, others get the previous one.
    await Promise.all([...(previous?.encodings() ?? [])].map(entry.encoded))
    if (revision >= clearedAt) pages.set(page.url, entry, { size })
    return entry
  }

  function fallBack(page: CacheablePage): Entry | undefined {
    counters.failures++
    if (page.showsFailures) pages.delete(page.url)
    const previous = pages.get(page.url)
    if (previous) previous.noRenderUntil = clock() + RETRY_MS
    return previous
  }

  return {
    /**
     * @param visitorHash identifies the visitor's own writes
     * @throws the error of `render` if there is no previous version
     */
    async read(page: CacheablePage, visitorHash: () => string, render: () => Promise<RenderedPage>): Promise<Page> {
      const entry = pages.get(page.url)
      const latest = changes.lastChange(page.tags)
      if (!entry) return renderAtLeast(page, page.isAfterWrite ? Number.POSITIVE_INFINITY : latest, render)
      entry.reads++
      if (isFresh(entry) && !page.isAfterWrite) {
        counters.hits++
        return entry
      }
      const own = page.isAfterWrite ? Number.POSITIVE_INFINITY : changes.lastWrite(visitorHash)
      if (own > entry.revision) return withFallbackAfter(AUTHOR_WAIT_MS, page, renderAtLeast(page, own, render))
      counters.stale++
      if (clock() < entry.noRenderUntil) return entry
      if (page.waitsForLatest) return withFallbackAfter(AUTHOR_WAIT_MS, page, renderAtLeast(page, latest, render))
      if (renders.has(page.url)) return entry
      return withFallbackAfter(READER_WAIT_MS, page, startRender(page, render))
    },

    has: (page: CacheablePage): boolean => pages.get(page.url) !== undefined,

    /** Returns the page of a URL, or of its other key. */
    getFresh(key: string, otherKey: string): Page | undefined {
      const entry = pages.get(key) ?? pages.get(otherKey)
      if (!entry || !isFresh(entry)) return undefined
      entry.reads++
      return entry
    },

    countHit(): void {
      counters.hits++
    },

    /** Marks all pages that show these changes as stale. */
    invalidate(events: PublishedChange[]): void {
      dropErased(changes.recordOnce(events))
    },

    /** Marks pages for changes whose commit is uncertain. If their events arrive later, marks the pages again. */
    invalidateUncommitted(events: PublishedChange[]): void {
      changes.recordUncommitted(events)
      dropErased(events)
    },

    lastChange: changes.lastChange,
    unchangedSince: changes.unchangedSince,

    /** For a process that may have missed events. */
    clear,

    stats: () => ({ entries: pages.size, bytes: pages.calculatedSize, ...counters }),
  }
}
