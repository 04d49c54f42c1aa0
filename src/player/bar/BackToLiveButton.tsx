import type { MouseEvent } from 'react'
import { t } from '#src/i18n/t.ts'
import { playLive } from '#src/player/engine.ts'
import { cx } from '#src/ui/cx.ts'
import styles from './BackToLiveButton.module.css'

function backToLive(event: MouseEvent<HTMLButtonElement>) {
  const bar = event.currentTarget.closest('section')
  playLive()
  // Moves the focus, because this button disappears.
  bar?.querySelector<HTMLElement>('[data-play]')?.focus({ preventScroll: true })
}

export function BackToLiveButton({ className }: { className?: string }) {
  return (
    <button type="button" className={cx(styles.toLive, className)} onClick={backToLive}>
      {t('player.backToLive')}
    </button>
  )
}
