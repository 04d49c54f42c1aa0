import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import styles from './ShortcutsDialog.module.css'
import { PLAYER_KEYS } from './shortcuts.ts'
import { setPlayer, usePlayer } from './store.ts'

type ShortcutsDialogProps = {
  open: boolean
  onClose: () => void
  /** keys of the page, with their effects */
  keys: readonly (readonly [key: string, meaning: string])[]
}

/** Lists the keys of a page and of the player, with a switch for all of them. */
export function ShortcutsDialog({ open, onClose, keys }: ShortcutsDialogProps) {
  const { shortcuts } = usePlayer()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Keyboard shortcuts"
      narrow
      foot={<Button onClick={onClose}>Close</Button>}
    >
      <dl className={styles.shortcuts}>
        {[...keys, ...PLAYER_KEYS].map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.switch}>
        {`Keyboard shortcuts are ${shortcuts ? 'on' : 'off'}.`}
        <Button size="small" onClick={() => setPlayer({ shortcuts: !shortcuts })}>
          {shortcuts ? 'Turn off' : 'Turn on'}
        </Button>
      </p>
    </Dialog>
  )
}
