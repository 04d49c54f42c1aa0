import type { AuthUser } from '#src/contract/auth.ts'
import type { ControlledPost } from '#src/features/board/controls/postActions.ts'
import { usePostControls } from '#src/features/board/controls/usePostControls.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'

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
