import { useEffect, useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { OWN_POSTS_KEY } from '#src/contract/post.ts'
import type { ControlledPost } from '#src/features/board/controls/controlStores.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
import { useIsStored } from '#src/lib/storedStore.ts'

type ListControlsProps = {
  user: AuthUser | null
  moderates: boolean
  version: number
  remove: (threadId: number) => void
}

/** Adds the controls of moderators and authors to the threads of a board page or catalog. */
export function ListControls({ user, moderates, version, remove }: ListControlsProps) {
  const controls = usePostControls(moderates)
  if (!controls) return null

  function onDeleted({ id }: ControlledPost) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`t${id}`))
    remove(id)
    moveFocus()
  }

  return (
    <>
      <controls.ControlsInPosts version={version} moderates={moderates} onDeleted={onDeleted} />
      <controls.PostControlsHost user={user} />
    </>
  )
}

const importControls = () => import('./PostControls.tsx')
type Controls = Awaited<ReturnType<typeof importControls>>

/** Loads the controls of moderators and authors, only for visitors who moderate or have posted. Null until loaded. */
export function usePostControls(moderates: boolean): Controls | null {
  const [controls, setControls] = useState<Controls | null>(null)
  const isNeeded = useIsStored(OWN_POSTS_KEY) || moderates
  useEffect(() => {
    // Without the controls, the page still shows all posts.
    if (isNeeded) importControls().then(setControls, () => {})
  }, [isNeeded])
  return controls
}
