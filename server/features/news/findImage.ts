import type { ImageSource } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { FetchFailed, type ReadResponse } from '#server/core/http/fetcher.ts'
import { createSemaphore } from '#server/core/limits/semaphore.ts'
import type { ImageProcessor } from '#server/core/media/imageProcessor.ts'
import { findPageImage, MAX_PAGE_BYTES } from './feed/content/pageImage.ts'
import { queueForHost, requestHeaders } from './fetchFeed.ts'

type Thumbnail = Awaited<ReturnType<ImageProcessor['thumbnail']>>
type Deps = Pick<Services, 'config' | 'fetcher' | 'images'>
/** `retry`: a temporary error; `paused`: not requested, because its host is paused */
type Outcome = { thumbnail: Thumbnail } | { imageUrl: string } | 'none' | 'retry' | 'paused'

export type ImageSearch = {
  signal: AbortSignal
  /** limit in ms for each response */
  totalMs: number
  /** hosts that are overloaded or do not respond; the rest of the run skips them */
  pausedHosts: Set<string>
}
export type ImageSearchResult = {
  thumbnail: Thumbnail | null
  /** sources for later, and those without an image, which are not asked again while the feed has them */
  remaining: ImageSource[]
}

/** Thumbnail size in pixels: a card is at most 400 CSS pixels wide. */
const MAX_SIDE = 800
/** Minimum size in pixels: smaller images are decorations or tracking pixels. */
const MIN_SIDE = 100
const MAX_SOURCE_BYTES = 10 * 1024 * 1024
const MAX_REDIRECTS = 5
const MAX_FAILURES = 4

const ACCEPT_IMAGE = 'image/webp, image/png, image/jpeg, image/gif, */*;q=0.1'
const ACCEPT_PAGE = 'text/html, application/xhtml+xml, */*;q=0.1'

// Decodes one image at a time, to leave capacity for uploads.
const decoding = createSemaphore({ running: 1, waiting: 100, onFull: () => new Error('too many images at once') })

export async function findImage(deps: Deps, sources: ImageSource[], search: ImageSearch): Promise<ImageSearchResult> {
  const queue = [...sources]
  const remaining: ImageSource[] = []
  for (let source = queue.shift(); source && !search.signal.aborted; source = queue.shift()) {
    const outcome = isUntried(source) ? await trySource(deps, source, search) : 'none'
    if (outcome === 'paused') remaining.push(source)
    else if (outcome === 'retry') remaining.push({ ...source, failures: (source.failures ?? 0) + 1 })
    else if (outcome === 'none') remaining.push({ ...source, failures: MAX_FAILURES })
    else if ('thumbnail' in outcome) return { thumbnail: outcome.thumbnail, remaining: [] }
    else if (!sources.some((other) => other.url === outcome.imageUrl)) queue.push({ url: outcome.imageUrl })
  }
  return { thumbnail: null, remaining }
}

/** Returns whether a source may still have an image. */
export const isUntried = ({ url, failures = 0 }: ImageSource): boolean => failures < MAX_FAILURES && URL.canParse(url)

async function trySource(deps: Deps, source: ImageSource, search: ImageSearch): Promise<Outcome> {
  const { page = false } = source
  const url = new URL(source.url)
  const response = await queueForHost(url.hostname, async () => {
    if (search.pausedHosts.has(url.hostname)) return 'paused'
    const outcome = await download(deps, url, page, search)
    if (outcome !== 'pauseHost') return outcome
    search.pausedHosts.add(url.hostname)
    return 'retry'
  })
  if (typeof response === 'string') return response
  if (!page) return createThumbnail(deps, response.bytes)
  const imageUrl = findPageImage(response.bytes, { contentType: response.headers['content-type'], url: response.url })
  return imageUrl === null ? 'none' : { imageUrl }
}

async function download(
  { config, fetcher }: Deps,
  url: URL,
  page: boolean,
  { signal, totalMs }: ImageSearch,
): Promise<ReadResponse | 'none' | 'retry' | 'pauseHost'> {
  try {
    const response = await fetcher.read(url, {
      headers: requestHeaders(config, page ? ACCEPT_PAGE : ACCEPT_IMAGE),
      signal,
      totalMs,
      maxBytes: page ? MAX_PAGE_BYTES : MAX_SOURCE_BYTES,
      truncate: page,
      maxRedirects: MAX_REDIRECTS,
      trusts: () => config.allowPrivateNetwork,
    })
    const { status } = response
    if (status === 200) return response
    if (status === 429 || status === 503) return 'pauseHost'
    return status >= 500 || status === 408 ? 'retry' : 'none'
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error
    if (error.message === 'no answer in time' || error.message === 'silent for too long') return 'pauseHost'
    // Network errors such as ECONNRESET are temporary. Other errors mean that the response or the URL is unusable.
    return /^E[A-Z_]+$/.test(error.message) ? 'retry' : 'none'
  }
}

async function createThumbnail({ images }: Deps, bytes: Uint8Array): Promise<Outcome> {
  try {
    const thumbnail = await decoding.run(() => images.thumbnail(bytes, MAX_SIDE))
    return Math.min(thumbnail.width, thumbnail.height) < MIN_SIDE ? 'none' : { thumbnail }
  } catch (error) {
    // Only an overloaded image processor is worth a retry.
    return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' ? 'retry' : 'none'
  }
}
