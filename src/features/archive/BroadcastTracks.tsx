import { t } from '#src/i18n/t.ts'
import { reloadTracklist, useTracklist } from '#src/lib/tracklists.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Tracklist } from '#src/ui/Tracklist.tsx'

type BroadcastTracksProps = { broadcastId: number; onJump: (seconds: number) => void }

/** The tracklist below a row of the archive. */
export function BroadcastTracks({ broadcastId, onJump }: BroadcastTracksProps) {
  const loaded = useTracklist(broadcastId)
  if (!loaded) {
    return (
      <p className="hint" role="status">
        {t('archive.loadingTracklist')}
      </p>
    )
  }
  if (!loaded.broadcast) {
    return (
      <>
        <Alert>{t('archive.tracklistFailed')}</Alert>
        <Button size="small" onClick={() => void reloadTracklist(broadcastId)}>
          {t('ui.tryAgain')}
        </Button>
      </>
    )
  }
  const { tracks } = loaded.broadcast
  if (tracks.length === 0) return <p className="hint">{t('archive.noTracks')}</p>
  return <Tracklist tracks={tracks} current={-1} onJump={onJump} />
}
