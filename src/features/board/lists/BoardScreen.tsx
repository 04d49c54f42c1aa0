import { Plus } from 'lucide-react'
import { navigate } from 'vike/client/router'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardPath, canModerate } from '#src/contract/board.ts'
import { boardDataPath, olderPath, type ShownBoard } from '#src/contract/thread.ts'
import { Moderators } from '#src/features/board/boards/Moderators.tsx'
import { ListControls } from '#src/features/board/controls/ListControls.tsx'
import { idOf } from '#src/features/board/post/postElements.ts'
import { ServerHtml } from '#src/features/board/post/ServerHtml.tsx'
import { usePreparedPosts } from '#src/features/board/post/usePreparedPosts.ts'
import { ReadingTools } from '#src/features/board/reading/ReadingTools.tsx'
import { OwnUnpublishedPosts } from '#src/features/board/writing/OwnUnpublishedPosts.tsx'
import { PostFormLink } from '#src/features/board/writing/PostFormLink.tsx'
import { usePostDialog } from '#src/features/board/writing/usePostDialog.tsx'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { buttonClass } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { floatingButtonClass } from '#src/ui/FloatingButton.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import styles from './BoardHead.module.css'
import { BoardHead } from './BoardHead.tsx'
import { BoardSearch } from './BoardSearch.tsx'
import { CardIcons } from './CardIcons.tsx'
import './cards.css'
import { cardsIn } from './changeCards.ts'
import { DensitySwitch } from './DensitySwitch.tsx'
import { NewThreadsNotice } from './NewThreadsNotice.tsx'
import postList from './postList.module.css'
import { useList } from './useList.ts'

type BoardScreenProps = { initial: ShownBoard; cursor: string | undefined; user: AuthUser | null }

/** Shows a board page: the page after `cursor`, or the newest page without `cursor`. */
export function BoardScreen({ initial, cursor, user }: BoardScreenProps) {
  const shown = useList(initial, {
    path: boardDataPath(initial.board.id, currentLanguage(), cursor),
    isFirst: cursor === undefined,
  })
  const { list, board, count, waiting, nextCursor, isDeleted, version, remove, reload } = shown
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
  const moderates = canModerate(user, board) && !isDeleted
  usePreparedPosts(version, board.id, write)
  const isEmpty = count === 0 && waiting === 0

  return (
    <div className="wrap">
      <CardIcons />
      <BoardHead
        board={board}
        page="threads"
        title={
          <>
            <span className={styles.slug}>/{board.id}/</span> <span className={styles.dash}>-</span> {board.name}
          </>
        }
        lead={board.description}
        tools={
          !isDeleted && (
            <>
              <BoardSearch boardId={board.id} />
              <PostFormLink to={place} className={buttonClass({})}>
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
      <OwnUnpublishedPosts
        boardId={board.id}
        listShownIds={() => (list.current ? cardsIn(list.current).map(idOf) : [])}
      />
      <NewThreadsNotice list={shown} />
      {isEmpty && (
        <EmptyState
          action={
            !isDeleted && (
              <PostFormLink to={place} className={buttonClass({})}>
                <Plus className="icon" />
                {t('board.createThread')}
              </PostFormLink>
            )
          }
        >
          {t('board.noThreads')}
        </EmptyState>
      )}
      <div hidden={isEmpty} data-closed={isDeleted ? '' : undefined} data-moderates={moderates ? '' : undefined}>
        <ServerHtml ref={list} className={cx(postList.list, postList.ruled)} html={initial.html} />
      </div>
      <Pagination
        previous={cursor === undefined ? undefined : path}
        previousLabel={t('board.newest')}
        next={nextCursor === null ? undefined : olderPath(board.id, nextCursor)}
        nextLabel={t('board.olderThreads')}
      />
      {!isDeleted && (
        <PostFormLink
          to={place}
          className={floatingButtonClass}
          aria-label={t('board.createThread')}
          title={t('board.createThread')}
        >
          <Plus className="icon" />
        </PostFormLink>
      )}
      <ReadingTools boardId={board.id} version={version} />
      {dialog}
      <ListControls user={user} moderates={moderates} version={version} remove={remove} />
    </div>
  )
}
