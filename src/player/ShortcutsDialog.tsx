import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import styles from './ShortcutsDialog.module.css'
import { playerKeys } from './shortcuts.ts'
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
      title={t('player.keyboardShortcuts')}
      narrow
      foot={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      <dl className={`divided ${styles.shortcuts}`}>
        {[...keys, ...playerKeys()].map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="spread">
        {shortcuts ? t('player.shortcutsOn') : t('player.shortcutsOff')}
        <Button size="small" onClick={() => setPlayer({ shortcuts: !shortcuts })}>
          {shortcuts ? t('player.turnOff') : t('player.turnOn')}
        </Button>
      </p>
    </Dialog>
  )
}
