import { useCallback, useEffect, useState } from 'react'
import { OWN_POSTS_KEY } from '#src/contract/board.ts'
import { readStored } from '#src/lib/storage.ts'

const importControls = () => import('./PostControls.tsx')
type Controls = Awaited<ReturnType<typeof importControls>>

/**
 * Loads the controls of moderators and authors, only for visitors who moderate or have posted.
 * @returns `controls`, null until loaded, and `markAuthor`, to call after posting
 */
export function usePostControls(moderates: boolean) {
  const [controls, setControls] = useState<Controls | null>(null)
  const [isAuthor, setIsAuthor] = useState(false)
  useEffect(() => setIsAuthor(readStored(OWN_POSTS_KEY) !== null), [])

  const isNeeded = moderates || isAuthor
  useEffect(() => {
    // Without the controls, the page still shows all posts.
    if (isNeeded) importControls().then(setControls, () => {})
  }, [isNeeded])

  return { controls, markAuthor: useCallback(() => setIsAuthor(true), []) }
}
