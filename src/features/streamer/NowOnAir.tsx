import type { NowPlaying } from '#src/contract/radio.ts'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { formatTitle } from './sourceTexts.ts'

/** Shows the current sound of the station. */
export function NowOnAir({ nowPlaying }: { nowPlaying: NowPlaying | null }) {
  if (!nowPlaying?.available) return null
  const { live, song, listeners } = nowPlaying
  return (
    <Facts
      facts={[
        ['On air', live.isLive ? live.streamer : 'the station'],
        ['Title', formatTitle(song)],
        ['Listeners', listeners.current],
      ]}
    />
  )
}
