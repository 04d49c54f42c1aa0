import { radioMessages } from '#src/contract/radio.ts'
import { Button } from '#src/ui/Button.tsx'
import { openHeld } from '../companions/holdPages.ts'
import { setPlayer, usePlayer } from '../store.ts'
import styles from './HeldPage.module.css'

/** Offers a page that opens only at the price of the sound. */
export function HeldPage() {
  const { heldUrl } = usePlayer()
  if (heldUrl === null) return null
  return (
    <div className={`wrap ${styles.held}`} role="alert">
      <span>{radioMessages.newVersion}</span>
      <Button size="small" onClick={openHeld}>
        Open it
      </Button>
      <Button size="small" variant="text" onClick={() => setPlayer({ heldUrl: null })}>
        Not now
      </Button>
    </div>
  )
}
