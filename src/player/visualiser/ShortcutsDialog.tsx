import { setPlayer, usePlayer } from '#src/player/store.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import styles from './ShortcutsDialog.module.css'

const SHORTCUTS = [
  ['N', 'Next preset'],
  ['P', 'Previous preset'],
  ['R', 'Random preset'],
  ['C', 'Auto-change'],
  ['L', 'Lock this preset'],
  ['B', 'Favourite'],
  ['/', 'All presets'],
  ['F', 'Full screen'],
  ['?', 'This list'],
  ['Space', 'Play or pause'],
  ['M', 'Mute'],
  ['↑ ↓', 'Volume'],
  ['← →', 'Back or forward in a recording'],
] as const

export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
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
        {SHORTCUTS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      {!shortcuts && (
        <p className={styles.off}>
          Keyboard shortcuts are off.
          <Button size="small" onClick={() => setPlayer({ shortcuts: true })}>
            Turn on
          </Button>
        </p>
      )}
    </Dialog>
  )
}
