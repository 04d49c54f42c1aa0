import { Pause, Play } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { toggle } from '#src/player/engine.ts'
import { usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import { useHydrated } from '#src/ui/hydration.ts'
import styles from './PlayButton.module.css'

export function PlayButton({ className }: { className?: string }) {
  const isPaused = usePlayer().status === 'paused'
  const label = isPaused ? t('player.play') : t('player.pause')
  const Icon = isPaused ? Play : Pause
  return (
    <button
      type="button"
      className={cx(styles.button, className)}
      aria-label={label}
      title={label}
      data-play=""
      disabled={!useHydrated()}
      onClick={toggle}
    >
      <Icon className="icon" />
    </button>
  )
}
