import { type ComponentType, type RefObject, useEffect, useState } from 'react'
import { radioMessages } from '#src/contract/radio.ts'
import { whenIdle } from '#src/lib/idle.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { toast } from '#src/ui/Toast.tsx'
import { useLoaded } from '#src/ui/useLoaded.ts'
import styles from './Console.module.css'
import { Level } from './Level.tsx'
import { PlayerRow } from './PlayerRow.tsx'
import { useFoldFocus } from './useFoldFocus.ts'
import { useRoom } from './useRoom.ts'

function giveUpSheet() {
  setPlayer({ maximised: false })
  toast(radioMessages.notLoaded)
}

/** What is in the bar: a row, a slim row, or the sheet with everything there is. */
export function Console({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const { maximised, minimised } = usePlayer()
  const Sheet = useLoaded(() => import('./Sheet.tsx').then((module) => module.Sheet), maximised, giveUpSheet)
  const shape = maximised && Sheet ? 'sheet' : minimised ? 'slim' : 'row'

  const [HeldPage, setHeldPage] = useState<ComponentType | null>(null)

  useEffect(
    () =>
      whenIdle(async () => {
        // what is missing after a deploy comes with the next page load
        const companions = await import('#src/player/companions.ts').catch(() => null)
        companions?.startCompanions()
        setHeldPage(() => companions?.HeldPage ?? null)
      }),
    [],
  )
  useRoom(bar)
  useFoldFocus(bar, shape)

  return (
    <>
      {HeldPage && <HeldPage />}
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
