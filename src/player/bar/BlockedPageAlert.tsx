import { t } from '#src/i18n/t.ts'
import { openBlockedPage } from '#src/player/integrations/pageReloadGuard.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { Button } from '#src/ui/Button.tsx'
import styles from './BlockedPageAlert.module.css'

const TEXTS = {
  offline: () => t('player.offlinePage'),
  unreachable: () => t('player.unreachable'),
  newVersion: () => t('player.newVersion'),
  reload: () => t('player.reload'),
}

export function BlockedPageAlert() {
  const { blockedPage } = usePlayer()
  if (blockedPage === null) return null
  const isOffline = blockedPage.reason === 'offline'
  return (
    <div className={`wrap cluster ${styles.alert}`} role="alert">
      <span>{TEXTS[blockedPage.reason]()}</span>
      <div className="cluster">
        <Button size="small" onClick={() => void openBlockedPage()}>
          {isOffline || blockedPage.reason === 'unreachable' ? t('ui.tryAgain') : t('player.openPage')}
        </Button>
        <Button size="small" variant="text" onClick={() => setPlayer({ blockedPage: null })}>
          {isOffline ? t('player.stayHere') : t('player.notNow')}
        </Button>
      </div>
    </div>
  )
}
