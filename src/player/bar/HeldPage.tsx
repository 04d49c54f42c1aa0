import { radioMessages } from '#src/contract/radio.ts'
import { openHeld } from '#src/player/companions/holdPages.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { Button } from '#src/ui/Button.tsx'
import styles from './HeldPage.module.css'

const { offlinePage, unreachable, newVersion, reload } = radioMessages
const texts = { offline: offlinePage, unreachable, newVersion, reload }

/** Says why a page did not open, and offers what can be done. */
export function HeldPage() {
  const { held } = usePlayer()
  if (held === null) return null
  const isOffline = held.reason === 'offline'
  return (
    <div className={`wrap ${styles.held}`} role="alert">
      <span>{texts[held.reason]}</span>
      {!isOffline && (
        <Button size="small" onClick={openHeld}>
          {held.reason === 'unreachable' ? 'Try again' : 'Open it'}
        </Button>
      )}
      <Button size="small" variant="text" onClick={() => setPlayer({ held: null })}>
        {isOffline ? 'Stay here' : 'Not now'}
      </Button>
    </div>
  )
}
