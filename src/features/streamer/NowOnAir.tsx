import type { NowPlaying } from '#src/contract/radio.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { formatTitle } from './sourceTexts.ts'

/** Shows the current sound of the station. */
export function NowOnAir({ nowPlaying }: { nowPlaying: NowPlaying | null }) {
  if (!nowPlaying?.available) return null
  const { live, song, listeners } = nowPlaying
  return (
    <Facts
      facts={[
        [t('streamer.onAir'), live.isLive ? live.streamer : t('streamer.station')],
        [t('field.title'), formatTitle(song)],
        [t('streamer.listeners'), formatNumber(listeners.current)],
      ]}
    />
  )
}
