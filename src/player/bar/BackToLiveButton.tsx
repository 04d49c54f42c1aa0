import type { MouseEvent } from 'react'
import { playLive } from '#src/player/engine.ts'
import { cx } from '#src/ui/cx.ts'
import styles from './BackToLiveButton.module.css'

function leave(event: MouseEvent<HTMLButtonElement>) {
  const bar = event.currentTarget.closest('section')
  playLive()
  // this key goes away with the recording
  bar?.querySelector<HTMLElement>('[data-play]')?.focus({ preventScroll: true })
}

/** Leaves the recording for what is on air now; the focus goes on to the key that plays and pauses it. */
export function BackToLiveButton({ className }: { className?: string }) {
  return (
    <button type="button" className={cx(styles.toLive, className)} onClick={leave}>
      Back to live
    </button>
  )
}
