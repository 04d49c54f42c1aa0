import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { loaded } from '#pages/loaded.tsx'
import { type BoardView, boardMessages } from '#src/contract/board.ts'
import { useSession } from '#src/features/auth/session.ts'
import { BoardRow } from '#src/features/board/BoardRow.tsx'
import log from '#src/features/board/log.module.css'
import { useBoards } from '#src/features/board/useBoards.ts'
import { useDeletion } from '#src/features/board/useDeletion.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Empty } from '#src/ui/Empty.tsx'
import { FloatingButton } from '#src/ui/FloatingButton.tsx'
import { fetched } from '#src/ui/fetched.ts'
import { focusBeside } from '#src/ui/focus.ts'
import { PageHead } from '#src/ui/PageHead.tsx'
import type { Data } from './+data.ts'

const importDialog = () => import('#src/features/board/BoardDialog.tsx')
const BoardDialog = lazy(importDialog)

export default loaded<Data>('DTPChan', function Boards({ data }) {
  const user = useSession()
  const { boards, append, remove } = useBoards(data)
  const [creating, setCreating] = useState<'never' | 'open' | 'closed'>('never')
  const { dialog: deletion, askToDelete } = useDeletion()

  async function create() {
    if (await fetched(importDialog)) setCreating('open')
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
      <PageHead title="DTPChan" lead="Anonymous boards. Nobody needs an account to post." />
      {boards.length === 0 ? (
        <Empty
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
        </Empty>
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
