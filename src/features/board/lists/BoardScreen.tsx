import { Plus } from 'lucide-react'
import { navigate } from 'vike/client/router'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardLimits, boardPath } from '#src/contract/board.ts'
import { type BoardPage, boardDataPath, olderPath } from '#src/contract/thread.ts'
import { Moderators } from '#src/features/board/boards/Moderators.tsx'
import { ReadingTools } from '#src/features/board/reading/ReadingTools.tsx'
import { usePostFilter } from '#src/features/board/reading/usePostFilter.ts'
import { OwnUnpublishedPosts } from '#src/features/board/writing/OwnUnpublishedPosts.tsx'
import { PostFormLink } from '#src/features/board/writing/PostFormLink.tsx'
import { usePostDialog } from '#src/features/board/writing/usePostDialog.tsx'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { buttonClass } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { floatingButtonClass } from '#src/ui/FloatingButton.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { SvgSprite } from '#src/ui/SvgSprite.tsx'
import { BoardHead } from './BoardHead.tsx'
import styles from './BoardScreen.module.css'
import { BoardSearch } from './BoardSearch.tsx'
import { BoardTitle } from './BoardTitle.tsx'
import { DensitySwitch } from './DensitySwitch.tsx'
import { NewThreadsNotice } from './NewThreadsNotice.tsx'
import postList from './postList.module.css'
import { cardIcons, ThreadCard } from './ThreadCard.tsx'
import { useBoard } from './useBoard.ts'
import { useThreadControls } from './useThreadControls.tsx'

type BoardScreenProps = { initial: BoardPage; cursor: string | undefined; user: AuthUser | null }

/** Shows a board page: the page after `cursor`, or the newest page without `cursor`. */
export function BoardScreen({ initial, cursor, user }: BoardScreenProps) {
  const list = useBoard(initial, {
    path: boardDataPath(initial.board.id, cursor),
    isFirst: cursor === undefined,
    max: boardLimits.threadsPerPage,
  })
  const { board, threads, newThreads, nextCursor, isDeleted, showNewThreads, reload } = list
  const path = boardPath(board.id)
  const { dialog, write } = usePostDialog(
    (_post, location) => {
      // A new thread is on the newest page, not on this older page.
      if (cursor !== undefined && location.kind === 'thread') void navigate(path)
      else void reload()
    },
    { board, user },
  )
  const creation = { to: { kind: 'thread', boardId: board.id }, write } as const
  const { moderates, renderControls, controlsHost } = useThreadControls(list, user)
  const filter = usePostFilter(board.id)

  return (
    <div className="wrap">
      <SvgSprite icons={cardIcons} />
      <BoardHead
        board={board}
        page="threads"
        title={<BoardTitle board={board} />}
        lead={board.description}
        tools={
          !isDeleted && (
            <>
              <BoardSearch boardId={board.id} />
              <PostFormLink {...creation} className={buttonClass({ variant: 'primary' })}>
                <Plus className="icon" />
                {t('board.createThread')}
              </PostFormLink>
            </>
          )
        }
        options={<DensitySwitch />}
      >
        <Moderators emails={board.moderators} />
      </BoardHead>
      {isDeleted && (
        <div className={cx(postList.notice, styles.notice)}>
          <Alert>{t('board.boardGone')}</Alert>
        </div>
      )}
      <OwnUnpublishedPosts boardId={board.id} listShownIds={() => threads.map(({ id }) => id)} />
      <NewThreadsNotice threads={threads} newThreads={newThreads} onShow={showNewThreads} />
      {threads.length === 0 && newThreads.length === 0 ? (
        <EmptyState
          action={
            !isDeleted && (
              <PostFormLink {...creation} className={buttonClass({})}>
                <Plus className="icon" />
                {t('board.createThread')}
              </PostFormLink>
            )
          }
        >
          {t('board.noThreads')}
        </EmptyState>
      ) : (
        <div className={cx(postList.list, postList.ruled)}>
          {threads.map((thread) => (
            <ThreadCard
              key={thread.id}
              thread={thread}
              write={isDeleted || (thread.locked && !moderates) ? undefined : write}
              renderControls={renderControls}
              filter={filter}
            />
          ))}
        </div>
      )}
      <Pagination
        previous={cursor === undefined ? undefined : path}
        previousLabel={t('board.newest')}
        next={nextCursor === null ? undefined : olderPath(board.id, nextCursor)}
        nextLabel={t('board.olderThreads')}
      />
      {!isDeleted && (
        <PostFormLink
          {...creation}
          className={floatingButtonClass}
          aria-label={t('board.createThread')}
          title={t('board.createThread')}
        >
          <Plus className="icon" />
        </PostFormLink>
      )}
      <ReadingTools boardId={board.id} />
      {dialog}
      {controlsHost}
    </div>
  )
}
