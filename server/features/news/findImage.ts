import type { PictureSource } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { FetchFailed, type Read } from '#server/core/http/fetcher.ts'
import { createGate } from '#server/core/limits/semaphore.ts'
import type { ImageProcessor } from '#server/core/media/imageProcessor.ts'
import { findPageImage, MAX_PAGE_BYTES } from './feed/content/pageImage.ts'
import { atHost, requestHeaders } from './hostQueue.ts'

type Picture = Awaited<ReturnType<ImageProcessor['thumbnail']>>
type Asker = Pick<Services, 'config' | 'fetcher' | 'images'>
/** `later`: it may well be there another time; `resting`: its host was not asked */
type Outcome = { picture: Picture } | { named: string } | 'none' | 'later' | 'resting'

export type Search = {
  signal: AbortSignal
  /** ms for each answer */
  totalMs: number
  /** hosts that ask for a rest, or give no answer; they are asked again in another run */
  resting: Set<string>
}
export type Found = {
  picture: Picture | null
  /** what is worth another try, some time later */
  left: PictureSource[]
}

/** Pixels each way: a card is 400 CSS px wide at most. */
const SIDE = 800
/** What is smaller counts visitors or decorates. */
const SMALLEST = 100
const PICTURE_BYTES = 10 * 1024 * 1024
const REDIRECTS = 5
/** In vain so often, a source is given up. */
const FAILURES = 4

const ACCEPT_PICTURE = 'image/webp, image/png, image/jpeg, image/gif, */*;q=0.1'
const ACCEPT_PAGE = 'text/html, application/xhtml+xml, */*;q=0.1'

// Nobody waits for these: one after the other, so that they leave room for uploads.
const decoding = createGate({ running: 1, waiting: 100, onFull: () => new Error('too many pictures at once') })

/** Tries the sources of an article's picture, best first, until one has a picture. */
export async function findPicture(asker: Asker, sources: PictureSource[], search: Search): Promise<Found> {
  const waiting = [...sources]
  const left: PictureSource[] = []
  for (let source = waiting.shift(); source && !search.signal.aborted; source = waiting.shift()) {
    const { url, failures = 0 } = source
    if (failures >= FAILURES || !URL.canParse(url)) continue
    const outcome = await trySource(asker, source, search)
    if (outcome === 'resting') left.push(source)
    else if (outcome === 'later') left.push({ ...source, failures: failures + 1 })
    else if (outcome === 'none') continue
    else if ('picture' in outcome) return { picture: outcome.picture, left: [] }
    else if (!sources.some((one) => one.url === outcome.named)) waiting.push({ url: outcome.named })
  }
  return { picture: null, left: left.filter(({ failures = 0 }) => failures < FAILURES) }
}

async function trySource(asker: Asker, { url, page = false }: PictureSource, search: Search): Promise<Outcome> {
  const at = new URL(url)
  const answer = await atHost(at.hostname, async () => {
    if (search.resting.has(at.hostname)) return 'resting'
    const outcome = await ask(asker, at, page, search)
    if (outcome === 'resting') search.resting.add(at.hostname)
    return outcome === 'resting' ? 'later' : outcome
  })
  if (typeof answer === 'string') return answer
  if (!page) return decode(asker, answer.bytes)
  const named = findPageImage(answer.bytes, { contentType: answer.headers['content-type'], url: answer.url })
  return named === null ? 'none' : { named }
}

/** The answer of a source that has one; `resting` where its host should be left alone for a while. */
async function ask(
  { config, fetcher }: Asker,
  url: URL,
  page: boolean,
  { signal, totalMs }: Search,
): Promise<Read | 'none' | 'later' | 'resting'> {
  try {
    const answer = await fetcher.read(url, {
      headers: requestHeaders(config, page ? ACCEPT_PAGE : ACCEPT_PICTURE),
      signal,
      totalMs,
      bytes: page ? MAX_PAGE_BYTES : PICTURE_BYTES,
      cut: page,
      redirects: REDIRECTS,
      trusts: () => config.allowPrivateNetwork,
    })
    const { status } = answer
    if (status === 200) return answer
    if (status === 429 || status === 503) return 'resting'
    return status >= 500 || status === 408 ? 'later' : 'none'
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error
    if (error.message === 'no answer in time' || error.message === 'silent for too long') return 'resting'
    // Codes of the network; all others say that the answer itself was of no use, or not to be asked for.
    return /^E[A-Z_]+$/.test(error.message) ? 'later' : 'none'
  }
}

async function decode({ images }: Asker, bytes: Uint8Array): Promise<Outcome> {
  try {
    const picture = await decoding.run(() => images.thumbnail(bytes, SIDE))
    return Math.min(picture.width, picture.height) < SMALLEST ? 'none' : { picture }
  } catch (error) {
    // Anything but a busy server is the picture's fault.
    return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' ? 'later' : 'none'
  }
}
