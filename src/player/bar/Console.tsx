import { type RefObject, useEffect } from 'react'
import { radioMessages } from '#src/contract/radio.ts'
import { whenIdle } from '#src/lib/idle.ts'
import { toast } from '#src/ui/Toast.tsx'
import { useLoaded } from '#src/ui/useLoaded.ts'
import { setPlayer, usePlayer } from '../store.ts'
import styles from './Console.module.css'
import { HeldPage } from './HeldPage.tsx'
import { Level } from './Level.tsx'
import { PlayerRow } from './PlayerRow.tsx'
import { useFoldFocus } from './useFoldFocus.ts'
import { useRoom } from './useRoom.ts'

/** What is missing after a new version was put up comes with the next page load. */
const startCompanions = () =>
  void import('../companions.ts').then((module) => module.startCompanions()).catch(() => undefined)

function giveUpSheet() {
  setPlayer({ maximised: false })
  toast(radioMessages.notLoaded)
}

/** What is in the bar: a row, a slim row, or the sheet with everything there is. */
export function Console({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const { maximised, minimised } = usePlayer()
  const Sheet = useLoaded(() => import('./Sheet.tsx').then((module) => module.Sheet), maximised, giveUpSheet)
  const shape = maximised && Sheet ? 'sheet' : minimised ? 'slim' : 'row'

  useEffect(() => whenIdle(startCompanions), [])
  useRoom(bar)
  useFoldFocus(bar, shape)

  return (
    <>
      <HeldPage />
      {shape === 'sheet' && Sheet ? (
        <Sheet />
      ) : (
        <>
          <Level className={styles.strip} hanging />
          <PlayerRow slim={shape === 'slim'} />
        </>
      )}
    </>
  )
}
