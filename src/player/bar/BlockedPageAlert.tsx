import { radioMessages } from '#src/contract/radio.ts'
import { openBlockedPage } from '#src/player/integrations/pageReloadGuard.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { Button } from '#src/ui/Button.tsx'
import styles from './BlockedPageAlert.module.css'

const { offlinePage, unreachable, newVersion, reload } = radioMessages
const texts = { offline: offlinePage, unreachable, newVersion, reload }

export function BlockedPageAlert() {
  const { blockedPage } = usePlayer()
  if (blockedPage === null) return null
  const isOffline = blockedPage.reason === 'offline'
  return (
    <div className={`wrap ${styles.alert}`} role="alert">
      <span>{texts[blockedPage.reason]}</span>
      <div className={styles.actions}>
        <Button size="small" onClick={() => void openBlockedPage()}>
          {isOffline || blockedPage.reason === 'unreachable' ? 'Try again' : 'Open it'}
        </Button>
        <Button size="small" variant="text" onClick={() => setPlayer({ blockedPage: null })}>
          {isOffline ? 'Stay here' : 'Not now'}
        </Button>
      </div>
    </div>
  )
}
