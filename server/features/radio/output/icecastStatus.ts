import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { formatTitle } from '#server/features/radio/input/titles.ts'
import { type NowPlaying, type Station, UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'

/**
 * Serves the status in Icecast's format, which directories, bots and widgets read. Like Icecast, `source` is an object
 * for one station and an array for several.
 */
export function registerIcecastStatus(
  app: FastifyInstance,
  { radio, config }: Pick<Services, 'radio' | 'config'>,
): void {
  app.get('/status-json.xsl', async (_request, reply) => {
    const { stations } = await radio.stations()
    const sources = await Promise.all(
      stations.map(async (station) =>
        // A station may be gone since the list was read.
        toSource(station, await radio.nowPlaying(station.id).catch(() => UNKNOWN_NOW_PLAYING)),
      ),
    )
    const online = sources.filter((source) => source !== null)
    const { host } = new URL(config.siteUrl)
    reply.header('cache-control', 'no-cache')
    return { icestats: { host, ...(online.length > 0 && { source: online.length === 1 ? online[0] : online }) } }
  })
}

/** Returns null for a station that plays nothing, because Icecast lists only connected sources. */
function toSource({ name, description, listen_url }: Station, { online, song, listeners }: NowPlaying) {
  if (!online) return null
  return {
    server_name: name,
    server_description: description,
    listenurl: listen_url,
    listeners: listeners.current,
    listener_peak: listeners.peak,
    artist: song.artist,
    title: song.title,
    yp_currently_playing: formatTitle(song),
  }
}
