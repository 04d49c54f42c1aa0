import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { READABLE } from '#server/core/security/headers.ts'
import { formatTitle } from '#server/features/radio/input/titles.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import {
  type PlaylistFormat,
  playlistFormats,
  playlistPath,
  type Station,
  streamPath,
  UNKNOWN_NOW_PLAYING,
} from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'

type PlayerServices = Pick<Services, 'radio' | 'config'>
type Entry = { name: string; url: string }

/** `-1` stands for an endless stream. */
const FORMATS: Record<PlaylistFormat, { type: string; write: (entry: Entry) => string }> = {
  m3u: {
    type: 'audio/x-mpegurl; charset=utf-8',
    write: ({ name, url }) => `#EXTM3U\n#EXTINF:-1,${name}\n${url}\n`,
  },
  pls: {
    type: 'audio/x-scpls; charset=utf-8',
    write: ({ name, url }) => `[playlist]\nNumberOfEntries=1\nFile1=${url}\nTitle1=${name}\nLength1=-1\nVersion=2\n`,
  },
  xspf: {
    type: 'application/xspf+xml; charset=utf-8',
    write: ({ name, url }) => `<?xml version="1.0" encoding="UTF-8"?>
<playlist version="1" xmlns="http://xspf.org/ns/0/">
<title>${escapeXml(name)}</title>
<trackList><track><location>${escapeXml(url)}</location><title>${escapeXml(name)}</title></track></trackList>
</playlist>
`,
  },
}

/** Serves playlists whose only entry is the stream of a station, and redirects of common paths. */
export function registerPlaylists(app: FastifyInstance, { radio, config }: PlayerServices): void {
  for (const format of playlistFormats) {
    const { type, write } = FORMATS[format]
    app.get<{ Params: { stationId: string } }>(
      `/radio/:stationId(^[1-9]\\d{0,8}).${format}`,
      async (request, reply) => {
        const entry = await readEntry(Number(request.params.stationId))
        return reply
          .header('content-disposition', `inline; filename="radio-${request.params.stationId}.${format}"`)
          .headers({ ...READABLE, 'cache-control': 'public, max-age=60' })
          .type(type)
          .send(write(entry))
      },
    )
  }

  // Paths that listeners know from other servers.
  for (const path of ['/live', '/stream', '/live.m3u']) {
    app.get(path, async (_request, reply) => {
      const { stations } = await radio.stations()
      const id = stations[0]?.id ?? STATION_ID
      return reply
        .header('cache-control', 'no-cache')
        .redirect(path.endsWith('.m3u') ? playlistPath(id, 'm3u') : streamPath(id))
    })
  }

  /** While the radio service does not answer, a player can still try the stream. */
  async function readEntry(stationId: number): Promise<Entry> {
    const { stations, available } = await radio.stations()
    const station = stations.find(({ id }) => id === stationId)
    if (!station && available) throw errors.notFound(refusal('radio.stationNotFound'))
    const { name = `Station ${stationId}`, listen_url = config.siteUrl + streamPath(stationId) } = station ?? {}
    return { name: name.replace(/\s+/g, ' '), url: listen_url }
  }
}

/**
 * Serves the status in Icecast's format, which directories, bots and widgets read. Like Icecast, `source` is an object
 * for one station and an array for several.
 */
export function registerIcecastStatus(app: FastifyInstance, { radio, config }: PlayerServices): void {
  app.get('/status-json.xsl', async (_request, reply) => {
    const { stations } = await radio.stations()
    const online = (await Promise.all(stations.map(describe))).filter((source) => source !== null)
    const { hostname } = new URL(config.siteUrl)
    // Like Icecast: widgets are on pages of other sites.
    reply.headers({ ...READABLE, 'cache-control': 'no-cache' })
    return {
      icestats: { host: hostname, ...(online.length > 0 && { source: online.length === 1 ? online[0] : online }) },
    }
  })

  /** Returns null for a station that plays nothing, because Icecast lists only connected sources. */
  async function describe({ id, name, description, listen_url }: Station) {
    // The station may be gone since the list was read.
    const { online, song, listeners } = await radio.nowPlaying(id).catch(() => UNKNOWN_NOW_PLAYING)
    if (!online) return null
    return {
      server_name: name,
      server_description: description,
      server_type: radio.streamType(id) ?? undefined,
      server_url: config.siteUrl,
      listenurl: listen_url,
      listeners: listeners.current,
      listener_peak: listeners.peak,
      artist: song.artist,
      title: song.title,
      yp_currently_playing: formatTitle(song),
    }
  }
}
