import type { IncomingHttpHeaders } from 'node:http'
import { createFetcher } from '#server/core/http/fetcher.ts'
import { type RadioSource, RadioUnavailable } from '#server/features/radio/types.ts'
import { archiveMessages } from '#src/contract/archive.ts'
import { radioMessages } from '#src/contract/radio.ts'
import { type Bounds, createClient } from './client.ts'
import {
  listenUrl,
  nextPage,
  readBroadcasts,
  readNowPlaying,
  readStations,
  readStreamers,
  type ServiceStation,
} from './parseResponses.ts'
import { isRecord, listOf, numberIn, record } from './parseValues.ts'

/** With the ten seconds between two questions, a failure shows within fifteen. */
const BOUNDS: Bounds = { answerMs: 4_000, connectMs: 10_000, silenceMs: 20_000 }
/** Guards the service, which answers few requests: a list is read this far. */
const PAGES = 20
const URL_LENGTH = 2000
const ART = /\/api\/station\/[^/]+\/art\/.*$/
const ONE_RANGE = /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/
const CONTENT_RANGE = /^bytes (\d{1,15}-\d{1,15}|\*)\/(\d{1,15}|\*)$/
const SOUND = /^(audio\/[\w.+-]+|application\/(x-)?ogg)$/
/** The relay finds out by the sound itself. */
const UNTOLD = /^(|(application|binary)\/octet-stream)$/

/**
 * The radio of an AzuraCast.
 * @param url its address, without `/api` and slashes at its end; trusted, private or not
 * @param allowPrivateStreams whether streams may come from private addresses of other hosts too
 */
export function createAzuraCast({
  url,
  key,
  allowPrivateStreams = false,
  now,
  bounds = BOUNDS,
}: {
  url: string
  key: string | null
  allowPrivateStreams?: boolean
  now: () => Date
  bounds?: Bounds
}): RadioSource {
  const { origin } = new URL(url)
  /** Where stations' sound was last said to be: it may still come while the calls fail. */
  let streams = new Map<number, string>()
  /** whose sound was not to be had where it was said to be */
  const missed = new Set<number>()
  const fetcher = createFetcher()
  const client = createClient({ fetcher, origin, key, allowPrivateStreams, bounds, now })
  const call = (path: string) => new URL(`${url}/api/${path}`)

  /** An address the service names: relative to its own, http or https, and without a password. */
  function readUrl(value: unknown): string | null {
    if (typeof value !== 'string' || value.trim() === '' || value.length > URL_LENGTH) return null
    if (!URL.canParse(value, `${url}/`)) return null
    const found = new URL(value, `${url}/`)
    const isWeb = /^https?:$/.test(found.protocol) && !found.username && !found.password
    return isWeb ? found.href : null
  }

  /** A list with all its pages, or what came of them in time. */
  async function list(path: string, missing: string | null): Promise<unknown> {
    const signal = AbortSignal.timeout(bounds.answerMs)
    const first = await client.json(call(path), missing, signal)
    const rows = listOf(first)
    if (!rows || nextPage(first) === null) return first
    const perPage = numberIn(record(first).per_page, 1000) || rows.length
    const all = [...rows]
    for (let page = nextPage(first); page !== null && page <= PAGES; ) {
      const next: unknown = await client
        .json(call(`${path}?page=${page}&per_page=${perPage}`), missing, signal)
        .catch(() => null)
      const more = next === null ? null : listOf(next)
      if (!more || more.length === 0) break
      all.push(...more)
      page = nextPage(next) === page + 1 ? page + 1 : null
    }
    return all
  }

  async function stations(): Promise<ServiceStation[]> {
    const found = readStations(await list('stations', null), readUrl)
    streams = new Map(found.flatMap(({ id, listenUrl }) => (listenUrl ? [[id, listenUrl]] : [])))
    return found
  }

  async function streamOf(stationId: number): Promise<string> {
    // A list that cannot be had now changes nothing: the sound may still be where it was.
    if (!streams.has(stationId) || missed.delete(stationId)) await stations().catch(() => {})
    const known = streams.get(stationId)
    if (known !== undefined) return known
    const { station } = record(await client.json(call(`nowplaying/${stationId}`), radioMessages.stationNotFound))
    const named = isRecord(station) ? listenUrl(station, readUrl) : null
    if (named === null) throw new RadioUnavailable('the station has no stream')
    streams.set(stationId, named)
    return named
  }

  return {
    stations,

    async nowPlaying(stationId) {
      return readNowPlaying(await client.json(call(`nowplaying/${stationId}`), radioMessages.stationNotFound), readUrl)
    },

    async streamers(stationId) {
      return readStreamers(await list(`station/${stationId}/streamers`, radioMessages.stationNotFound))
    },

    async broadcasts(stationId, streamerId) {
      const path = `station/${stationId}/streamer/${streamerId}/broadcasts`
      return readBroadcasts(await list(path, archiveMessages.notFound))
    },

    async openStream(stationId, signal) {
      const url = new URL(await streamOf(stationId))
      const { headers, body } = await client.openSound(url, signal).catch((error) => {
        missed.add(stationId)
        throw error
      })
      const type = mediaType(headers['content-type'])
      if (!(SOUND.test(type) || UNTOLD.test(type)) || isPacked(headers['content-encoding'])) {
        body.destroy()
        throw new RadioUnavailable('the stream is no sound')
      }
      const every = Number(headers['icy-metaint'])
      return { type, metadataEvery: Number.isInteger(every) && every > 0 && every <= 1 << 20 ? every : null, body }
    },

    async openRecording({ stationId, streamerId, broadcastId }, range, signal) {
      const path = `station/${stationId}/streamer/${streamerId}/broadcast/${broadcastId}/download`
      const wanted = range !== undefined && ONE_RANGE.test(range) ? range : undefined
      const { status, headers, body } = await client.openFile(call(path), wanted, archiveMessages.notFound, signal)
      const type = mediaType(headers['content-type'])
      if (isText(type, status) || isPacked(headers['content-encoding'])) {
        body.destroy()
        throw new RadioUnavailable('the recording is no sound')
      }
      const part = CONTENT_RANGE.exec(String(headers['content-range'] ?? ''))?.[0] ?? null
      if (status === 200) return { status, type: soundType(type), length: lengthOf(headers), range: null, body }
      if (status === 206 && part !== null) {
        return { status, type: soundType(type), length: lengthOf(headers), range: part, body }
      }
      body.destroy()
      if (status !== 416) throw new RadioUnavailable('a part of a recording, and nobody knows which')
      return { status, type: soundType(type), length: 0, range: part, body: nothing() }
    },

    readArt: (reference) => {
      const [path] = ART.exec(reference) ?? []
      // AzuraCast may think it lives elsewhere; its own pictures are where we ask for everything else.
      return client.picture(new URL(path === undefined ? reference : `${url}${path}`))
    },

    close: fetcher.close,
  }
}

const mediaType = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase() ?? ''

const soundType = (type: string) => (SOUND.test(type) ? type : 'audio/mpeg')

function lengthOf(headers: IncomingHttpHeaders): number | null {
  const length = headers['content-length']
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null
}

async function* nothing(): AsyncGenerator<Buffer> {}

const isPacked = (encoding: string | string[] | undefined) => encoding !== undefined && encoding !== 'identity'

/** A page or a message in place of the file; the body of a 416 may be anything, and nobody sees it. */
const isText = (type: string, status: number) => status !== 416 && /^text\/|^application\/(json|xhtml)/.test(type)
