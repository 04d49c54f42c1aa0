import { memo, Suspense, useEffect, useRef } from 'react'
import { cx } from '#src/ui/cx.ts'
import { later } from '#src/ui/later.tsx'
import styles from './PlayerBar.module.css'
import { audioElement, heldElement } from './sound/element.ts'

const Console = later(`.${styles.player}`, () => import('./bar/Console.tsx').then((module) => module.Console))

/** A browser that lets only a click begin sound remembers this one, should what it asks for be on its way still. */
function allowSound({ target }: MouseEvent) {
  if (!heldElement() && target instanceof Element && target.closest('[data-play]')) audioElement().load()
}

/**
 * The radio's console at the bottom of every page. What is around it may change before it is alive: made anew for that,
 * its HTML would be thrown away, and what was pressed in it lost.
 */
export const PlayerBar = memo(function PlayerBar() {
  const bar = useRef<HTMLElement>(null)

  useEffect(() => {
    window.addEventListener('click', allowSound, true)
    return () => window.removeEventListener('click', allowSound, true)
  }, [])

  return (
    <section className={cx('console', styles.player)} aria-label="Radio player" ref={bar}>
      <Suspense fallback={null}>
        <Console bar={bar} />
      </Suspense>
    </section>
  )
})
