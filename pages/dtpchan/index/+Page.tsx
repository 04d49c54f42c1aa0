import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { createDataPage } from '#pages/dataPage.tsx'
import { type BoardView, boardMessages } from '#src/contract/board.ts'
import { useSession } from '#src/features/auth/session.ts'
import { BoardRow } from '#src/features/board/BoardRow.tsx'
import log from '#src/features/board/log.module.css'
import { useBoards } from '#src/features/board/useBoards.ts'
import { useDeletion } from '#src/features/board/useDeletion.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FloatingButton } from '#src/ui/FloatingButton.tsx'
import { focusBeside } from '#src/ui/focus.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { preloadCode } from '#src/ui/preloadCode.ts'
import type { Data } from './+data.ts'

const importDialog = () => import('#src/features/board/BoardDialog.tsx')
const BoardDialog = lazy(importDialog)

export default createDataPage<Data>('DTPChan', function Boards({ data }) {
  const user = useSession()
  const { boards, append, remove } = useBoards(data)
  const [creating, setCreating] = useState<'never' | 'open' | 'closed'>('never')
  const { dialog: deletion, askToDelete } = useDeletion()

  async function create() {
    if (await preloadCode(importDialog)) setCreating('open')
  }

  function askToDeleteBoard(board: BoardView) {
    const goOn = focusBeside(document.getElementById(`board-${board.id}`)?.closest('article'))
    void askToDelete({ kind: 'board', board }, () => {
      remove(board.id)
      goOn()
    })
  }

  return (
    <div className="wrap">
      <PageHeader title="DTPChan" lead="Anonymous boards. Nobody needs an account to post." />
      {boards.length === 0 ? (
        <EmptyState
          action={
            user && (
              <Button onClick={create}>
                <Plus className="icon" />
                Create New Board
              </Button>
            )
          }
        >
          {boardMessages.noBoards}
        </EmptyState>
      ) : (
        <div className={log.log}>
          {boards.map((board) => (
            <BoardRow
              key={board.id}
              board={board}
              onDelete={user?.role === 'admin' ? () => askToDeleteBoard(board) : undefined}
            />
          ))}
        </div>
      )}
      {user && <FloatingButton label="Create New Board" onClick={create} />}
      {creating !== 'never' && (
        <Suspense fallback={null}>
          <BoardDialog open={creating === 'open'} onClose={() => setCreating('closed')} onCreated={append} />
        </Suspense>
      )}
      {deletion}
    </div>
  )
})
