import { Suspense, useRef } from 'react'
import { t } from '#src/i18n/t.ts'
import { cx } from '#src/ui/cx.ts'
import { Scripted } from '#src/ui/Scripted.tsx'
import { PlayerContent } from './bar/PlayerContent.tsx'
import styles from './PlayerBar.module.css'

/** Suspense lets the player hydrate independently of the page. */
export function PlayerBar() {
  const bar = useRef<HTMLElement>(null)
  return (
    <Scripted>
      <section className={cx('console', styles.player)} aria-label={t('player.label')} ref={bar}>
        <Suspense>
          <PlayerContent bar={bar} />
        </Suspense>
      </section>
    </Scripted>
  )
}
