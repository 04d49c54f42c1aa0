import { useEffect, useState } from 'react'
import { useHasPosted } from '#src/features/board/writing/hasPosted.ts'

const importControls = () => import('./PostControls.tsx')
type Controls = Awaited<ReturnType<typeof importControls>>

/** Loads the controls of moderators and authors, only for visitors who moderate or have posted. Null until loaded. */
export function usePostControls(moderates: boolean): Controls | null {
  const [controls, setControls] = useState<Controls | null>(null)
  const isNeeded = useHasPosted() || moderates
  useEffect(() => {
    // Without the controls, the page still shows all posts.
    if (isNeeded) importControls().then(setControls, () => {})
  }, [isNeeded])
  return controls
}
