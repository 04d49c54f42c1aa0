import { Layers, Plus, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { createDataPage } from '#pages/dataPage.tsx'
import { LOG_PATH } from '#src/contract/board.ts'
import { OVERBOARD_PATH } from '#src/contract/thread.ts'
import { useSession } from '#src/features/auth/session.ts'
import { BoardRow } from '#src/features/board/boards/BoardRow.tsx'
import { BoardSearch } from '#src/features/board/lists/BoardSearch.tsx'
import postList from '#src/features/board/lists/postList.module.css'
import { t } from '#src/i18n/t.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
import { useLiveList } from '#src/lib/liveData.ts'
import { trpc } from '#src/lib/trpc.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import floating from '#src/ui/FloatingButton.module.css'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useSite } from '#src/ui/site.ts'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { loadCode } from '#src/ui/useLazyComponent.ts'
import type { Data } from './+data.ts'

type BoardDialog = typeof import('#src/features/board/boards/BoardDialog.tsx').BoardDialog

export default createDataPage<Data>(function Boards({ data }) {
  const { boardsName } = useSite()
  const user = useSession()
  const {
    items: boards,
    append,
    remove,
  } = useLiveList({
    initialData: data.boards,
    lastEventId: data.lastEventId,
    read: async () => (await (await trpc()).board.overview.query()).boards,
    topic: 'boards',
  })
  const [creation, setCreation] = useState<{ BoardDialog: BoardDialog; open: boolean } | null>(null)
  const { dialog: deletion, askToDelete } = useDeletion()

  async function create() {
    const loaded = await loadCode(() => import('#src/features/board/boards/BoardDialog.tsx'))
    if (loaded) setCreation({ BoardDialog: loaded.BoardDialog, open: true })
  }

  function askToDeleteBoard(boardId: string) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`board-${boardId}`)?.closest('article'))
    const deletion = {
      title: t('board.deleteBoardTitle', { board: boardId }),
      text: t('board.deleteBoardText'),
      failed: t('board.deleteBoardFailed'),
      done: t('board.boardDeleted'),
      typed: boardId,
      run: async () => (await trpc()).board.delete.mutate({ boardId }),
    }
    void askToDelete(deletion, () => {
      remove(boardId)
      moveFocus()
    })
  }

  return (
    <div className="wrap">
      <PageHeader
        title={boardsName}
        lead={t('board.boardsLead')}
        action={
          <div className={`cluster ${postList.actions}`}>
            <ButtonLink variant="text" href={OVERBOARD_PATH}>
              <Layers className="icon icon-s" />
              {t('board.allThreads')}
            </ButtonLink>
            <ButtonLink variant="text" href={LOG_PATH}>
              <ScrollText className="icon icon-s" />
              {t('board.moderationLog')}
            </ButtonLink>
            {boards.length > 0 && <BoardSearch />}
          </div>
        }
      />
      {boards.length === 0 ? (
        <EmptyState
          action={
            user && (
              <Button onClick={create}>
                <Plus className="icon" />
                {t('board.createBoard')}
              </Button>
            )
          }
        >
          {t('board.noBoards')}
        </EmptyState>
      ) : (
        <div className={postList.list}>
          {boards.map((board) => (
            <BoardRow
              key={board.id}
              board={board}
              onDelete={user?.role === 'admin' ? () => askToDeleteBoard(board.id) : undefined}
            />
          ))}
        </div>
      )}
      {user && (
        <button
          type="button"
          className={floating.button}
          aria-label={t('board.createBoard')}
          title={t('board.createBoard')}
          onClick={create}
        >
          <Plus className="icon" />
        </button>
      )}
      {creation && (
        <creation.BoardDialog
          open={creation.open}
          onClose={() => setCreation({ ...creation, open: false })}
          onCreated={(board) => append({ ...board, threads: 0, latest: null, activity: [] })}
        />
      )}
      {deletion}
    </div>
  )
})
