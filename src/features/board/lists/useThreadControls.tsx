import type { ReactNode } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { type BoardView, canModerate } from '#src/contract/board.ts'
import type { CatalogThread, ListedThread } from '#src/contract/thread.ts'
import type { ControlledPost } from '#src/features/board/controls/postActions.ts'
import { usePostControls } from '#src/features/board/controls/usePostControls.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'

type ThreadList = { board: BoardView; isDeleted: boolean; remove: (threadId: number) => void }

/** Returns the controls of moderators and authors for the threads of a board page or catalog. */
export function useThreadControls({ board, isDeleted, remove }: ThreadList, user: AuthUser | null) {
  const moderates = canModerate(user, board) && !isDeleted
  const controls = usePostControls(moderates)

  function onDeleted({ id }: ControlledPost) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`t${id}`)?.closest('article'))
    remove(id)
    moveFocus()
  }

  const renderControls =
    controls &&
    ((thread: ListedThread | CatalogThread): ReactNode => (
      <controls.PostControls
        post={{
          kind: 'thread',
          boardId: board.id,
          threadId: thread.id,
          id: thread.id,
          commentId: undefined,
          state: thread,
        }}
        moderates={moderates}
        onDeleted={onDeleted}
      />
    ))
  const controlsHost = controls && <controls.PostControlsHost user={user} />
  return { moderates, renderControls: renderControls ?? undefined, controlsHost }
}
