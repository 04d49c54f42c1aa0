import { isUncompressed } from '#server/core/http/fetcher.ts'
import { GENERIC_TYPE } from '#server/features/radio/input/frames/audioParser.ts'
import { type RadioSource, RadioUnavailable } from '#server/features/radio/types.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'
import { createClient, DEFAULT_TIMEOUTS, type ServiceDeps } from './client.ts'
import {
  findListenUrl,
  getNextPage,
  isObject,
  parseBroadcasts,
  parseList,
  parseNowPlaying,
  parseNumber,
  parseStations,
  parseStreamers,
  type ServiceStation,
  toObject,
} from './parseResponses.ts'
import { parseStream } from './parseStream.ts'

const MAX_PAGES = 20
const MAX_URL_LENGTH = 2000
const ART_PATH = /\/api\/station\/[^/]+\/art\/.*$/
/** An error page in place of the file. */
const TEXT_TYPE = /^text\/|^application\/(json|xhtml)/
const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/
const AUDIO_TYPE = /^(audio\/[\w.+-]+|application\/(x-)?ogg)$/

export function createAzuraCast(deps: ServiceDeps): RadioSource {
  const { url, timeouts = DEFAULT_TIMEOUTS } = deps
  const client = createClient(deps)
  /** Last known stream URLs by station, because a stream may work while API calls fail. */
  let streamUrls = new Map<number, string>()
  const unreachableStreams = new Set<number>()
  const apiUrl = (path: string) => new URL(`${url}/api/${path}`)

  function parseUrl(value: unknown): string | null {
    if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_URL_LENGTH) return null
    if (!URL.canParse(value, `${url}/`)) return null
    const resolved = new URL(value, `${url}/`)
    const isWeb = /^https?:$/.test(resolved.protocol) && !resolved.username && !resolved.password
    return isWeb ? resolved.href : null
  }

  /** Fetches all pages of a list. If a page fails, returns the pages before it. */
  async function fetchList(path: string, missing: Refusal | null, totalMs: number): Promise<unknown> {
    const limits = { totalMs, signal: AbortSignal.timeout(totalMs) }
    const first = await client.fetchJson(apiUrl(path), missing, limits)
    const rows = parseList(first)
    if (!rows || getNextPage(first) === null) return first
    const perPage = parseNumber(toObject(first).per_page, 1000) || rows.length
    const allRows = [...rows]
    for (let page = getNextPage(first); page !== null && page <= MAX_PAGES; ) {
      const next: unknown = await client
        .fetchJson(apiUrl(`${path}?page=${page}&per_page=${perPage}`), missing, limits)
        .catch(() => null)
      const nextRows = next === null ? null : parseList(next)
      if (!nextRows || nextRows.length === 0) break
      allRows.push(...nextRows)
      page = getNextPage(next) === page + 1 ? page + 1 : null
    }
    return allRows
  }

  async function fetchStations(): Promise<ServiceStation[]> {
    const parsedStations = parseStations(await fetchList('stations', null, timeouts.answerMs), parseUrl)
    streamUrls = new Map(parsedStations.flatMap(({ id, listenUrl }) => (listenUrl ? [[id, listenUrl]] : [])))
    return parsedStations
  }

  const fetchNowPlaying = (stationId: number) =>
    client.fetchJson(apiUrl(`nowplaying/${stationId}`), refusal('radio.stationNotFound'))

  async function findStreamUrl(stationId: number): Promise<string> {
    // If fetching the list fails, try the last known URL.
    if (!streamUrls.has(stationId) || unreachableStreams.delete(stationId)) await fetchStations().catch(() => {})
    const knownUrl = streamUrls.get(stationId)
    if (knownUrl !== undefined) return knownUrl
    const { station } = toObject(await fetchNowPlaying(stationId))
    const streamUrl = isObject(station) ? findListenUrl(station, parseUrl) : null
    if (streamUrl === null) throw new RadioUnavailable('station has no stream URL')
    streamUrls.set(stationId, streamUrl)
    return streamUrl
  }

  return {
    stations: fetchStations,

    nowPlaying: async (stationId) => parseNowPlaying(await fetchNowPlaying(stationId), parseUrl),

    streamers: async (stationId) =>
      parseStreamers(
        await fetchList(`station/${stationId}/streamers`, refusal('radio.stationNotFound'), timeouts.listMs),
      ),

    broadcasts: async (stationId, streamerId) =>
      parseBroadcasts(
        await fetchList(
          `station/${stationId}/streamer/${streamerId}/broadcasts`,
          refusal('archive.notFound'),
          timeouts.listMs,
        ),
      ),

    async openStream(stationId, signal) {
      const url = new URL(await findStreamUrl(stationId))
      const { headers, body } = await client.openStream(url, signal).catch((error) => {
        unreachableStreams.add(stationId)
        throw error
      })
      const type = mediaType(headers['content-type'])
      if (!(AUDIO_TYPE.test(type) || GENERIC_TYPE.test(type)) || !isUncompressed(headers['content-encoding'])) {
        body.destroy()
        throw new RadioUnavailable('stream is not audio')
      }
      const interval = Number(headers['icy-metaint'])
      const metadataInterval = Number.isInteger(interval) && interval > 0 && interval <= 1 << 20 ? interval : null
      return parseStream({ type, metadataInterval, body }, signal)
    },

    async openRecording({ stationId, streamerId, broadcastId }, range, signal) {
      const path = `station/${stationId}/streamer/${streamerId}/broadcast/${broadcastId}/download`
      const missing = refusal('archive.notFound')
      const { status, headers, body } = await client.openFile(apiUrl(path), range, missing, signal)
      if (status === 416) {
        // The file is shorter than the list of the service says.
        body.destroy()
        const [, length] = /^bytes \*\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
        return { type: 'audio/mpeg', size: parseNumber(length, Number.MAX_SAFE_INTEGER), isPart: true, body }
      }
      const type = mediaType(headers['content-type'])
      const isPart = status === 206
      const [, first, last, total] = CONTENT_RANGE.exec(headers['content-range'] ?? '') ?? []
      // The file can be shorter than the list of the service says.
      const lastByte = Math.min(
        range?.end ?? 0,
        (parseNumber(total, Number.MAX_SAFE_INTEGER) ?? Number.POSITIVE_INFINITY) - 1,
      )
      const isOther = isPart && (Number(first) !== range?.start || Number(last) !== lastByte)
      if (TEXT_TYPE.test(type) || !isUncompressed(headers['content-encoding']) || isOther) {
        body.destroy()
        throw new RadioUnavailable(isOther ? 'recording in another range' : 'recording is not audio')
      }
      const size = parseNumber(isPart ? total : headers['content-length'], Number.MAX_SAFE_INTEGER)
      return { type: AUDIO_TYPE.test(type) ? type : 'audio/mpeg', size, isPart, body }
    },

    readArt: (reference) => {
      const [path] = ART_PATH.exec(reference) ?? []
      // AzuraCast may return a host name that only works internally. Fetch its own images from the configured URL.
      return client.fetchImage(new URL(path === undefined ? reference : `${url}${path}`))
    },

    close: client.close,
  }
}

const mediaType = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase() ?? ''
