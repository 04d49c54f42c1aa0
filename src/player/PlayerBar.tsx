import { useEffect, useRef } from 'react'
import { radioMessages } from '#src/contract/radio.ts'
import { whenIdle } from '#src/lib/idle.ts'
import { cx } from '#src/ui/cx.ts'
import { toast } from '#src/ui/Toast.tsx'
import { HeldPage } from './bar/HeldPage.tsx'
import { Level } from './bar/Level.tsx'
import { PlayerRow } from './bar/PlayerRow.tsx'
import { useFoldFocus } from './bar/useFoldFocus.ts'
import { useLoaded } from '#src/ui/useLoaded.ts'
import { useRoom } from './bar/useRoom.ts'
import styles from './PlayerBar.module.css'
import { loadPlayer, setPlayer, usePlayer } from './store.ts'

/** What is missing after a new version was put up comes with the next page load. */
const startCompanions = () =>
  void import('./companions.ts').then((module) => module.startCompanions()).catch(() => undefined)

function giveUpSheet() {
  setPlayer({ maximised: false })
  toast(radioMessages.notLoaded)
}

/** The radio's console at the bottom of every page: a row, a slim row, or the sheet with everything in it. */
export function PlayerBar() {
  const { maximised, minimised } = usePlayer()
  const bar = useRef<HTMLElement>(null)
  const Sheet = useLoaded(() => import('./bar/Sheet.tsx').then((module) => module.Sheet), maximised, giveUpSheet)
  const shape = maximised && Sheet ? 'sheet' : minimised ? 'slim' : 'row'

  useEffect(loadPlayer, [])
  useEffect(() => whenIdle(startCompanions), [])
  useRoom(bar)
  useFoldFocus(bar, shape)

  return (
    <section className={cx('console', styles.player)} aria-label="Radio player" ref={bar}>
      <HeldPage />
      {shape === 'sheet' && Sheet ? (
        <Sheet />
      ) : (
        <>
          <Level className={styles.strip} hanging />
          <PlayerRow slim={shape === 'slim'} />
        </>
      )}
    </section>
  )
}
