import { Plus } from 'lucide-react'
import { navigate } from 'vike/client/router'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardPath } from '#src/contract/board.ts'
import { boardDataPath, olderPath, type ShownBoard } from '#src/contract/thread.ts'
import { Moderators } from '#src/features/board/boards/Moderators.tsx'
import { PostFormLink } from '#src/features/board/writing/PostFormLink.tsx'
import { usePostDialog } from '#src/features/board/writing/usePostDialog.tsx'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'
import { buttonClass } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import floating from '#src/ui/FloatingButton.module.css'
import { Pagination } from '#src/ui/Pagination.tsx'
import styles from './BoardHead.module.css'
import { BoardHead } from './BoardHead.tsx'
import { BoardSearch } from './BoardSearch.tsx'
import { DensitySwitch } from './DensitySwitch.tsx'
import { ListedThreads } from './ListedThreads.tsx'
import postList from './postList.module.css'
import { useList } from './useList.ts'

type BoardScreenProps = { initial: ShownBoard; cursor: string | undefined; user: AuthUser | null }

/** Shows a board page: the page after `cursor`, or the newest page without `cursor`. */
export function BoardScreen({ initial, cursor, user }: BoardScreenProps) {
  const shown = useList(initial, {
    path: boardDataPath(initial.board.id, currentLanguage(), cursor),
    isFirst: cursor === undefined,
  })
  const { board, count, nextCursor, isDeleted, reload } = shown
  const path = boardPath(board.id)
  const { dialog, write } = usePostDialog(
    (_post, location) => {
      // A new thread is on the newest page, not on this older page.
      if (cursor !== undefined && location.kind === 'thread') void navigate(path)
      // If this fails, the event brings the thread.
      else reload().catch(() => {})
    },
    { board, user },
  )
  const place = { boardId: board.id }
  const isEmpty = count === 0 && cursor === undefined
  const createThread = !isDeleted && (
    <PostFormLink to={place} className={buttonClass({})}>
      <Plus className="icon" />
      {t('board.createThread')}
    </PostFormLink>
  )

  return (
    <div className="wrap">
      <BoardHead
        board={board}
        page="threads"
        title={
          <>
            <span className={styles.slug} translate="no">
              /{board.id}/
            </span>{' '}
            <span className={styles.dash}>-</span> {board.name}
          </>
        }
        lead={board.description}
        tools={
          // An empty board has nothing to search, and its button is below.
          !isDeleted &&
          !isEmpty && (
            <>
              <BoardSearch boardId={board.id} />
              {createThread}
            </>
          )
        }
        options={!isEmpty && <DensitySwitch />}
      >
        <Moderators emails={board.moderators} />
      </BoardHead>
      {!isDeleted && (
        <PostFormLink
          to={place}
          className={floating.button}
          aria-label={t('board.createThread')}
          title={t('board.createThread')}
        >
          <Plus className="icon" />
        </PostFormLink>
      )}
      <ListedThreads
        shown={shown}
        html={initial.html}
        className={cx(postList.list, postList.ruled)}
        user={user}
        write={write}
        empty={count === 0 && <EmptyState action={createThread}>{t('board.noThreads')}</EmptyState>}
      >
        <Pagination
          previous={cursor === undefined ? undefined : path}
          previousLabel={t('board.newest')}
          next={nextCursor === null ? undefined : olderPath(board.id, nextCursor)}
          nextLabel={t('board.olderThreads')}
        />
      </ListedThreads>
      {dialog}
    </div>
  )
}
