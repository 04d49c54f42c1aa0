import type { Config } from '#server/core/config/config.ts'
import { sourcePath, TEST_MOUNT } from '#src/contract/liveSources.ts'
import { SOURCE_USER, type SourceConnection } from '#src/contract/streamer.ts'

/** The built-in station. */
const STATION_ID = 1

/** Returns where sources connect, or null if the site plays an AzuraCast, which has its own streamers. */
export function sourceConnection({ liveUrl, radio }: Pick<Config, 'liveUrl' | 'radio'>): SourceConnection | null {
  if (radio.service) return null
  const { protocol, hostname, port } = new URL(liveUrl)
  const isSecure = protocol === 'https:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (isSecure ? 443 : 80)),
    isSecure,
    mount: sourcePath(STATION_ID),
    testMount: TEST_MOUNT,
    user: SOURCE_USER,
  }
}
