import type { AuthUser } from '#src/contract/auth.ts'
import { boardLimits } from '#src/contract/board.ts'
import {
  type CatalogPage,
  type CatalogView,
  catalogDataPath,
  catalogViewPath,
  olderPath,
} from '#src/contract/thread.ts'
import { ReadingTools } from '#src/features/board/reading/ReadingTools.tsx'
import { usePostFilter } from '#src/features/board/reading/usePostFilter.ts'
import { t } from '#src/i18n/t.ts'
import { useUrlFilter } from '#src/lib/useUrlFilter.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { SvgSprite } from '#src/ui/SvgSprite.tsx'
import { BoardHead } from './BoardHead.tsx'
import { CatalogCard, catalogIcons } from './CatalogCard.tsx'
import { CatalogFilter, CatalogOrder } from './CatalogControls.tsx'
import styles from './CatalogScreen.module.css'
import { matchesCatalogFilter, sortCatalog } from './catalog.ts'
import { NewThreadsNotice } from './NewThreadsNotice.tsx'
import postList from './postList.module.css'
import { useBoard } from './useBoard.ts'
import { useThreadControls } from './useThreadControls.tsx'

type CatalogScreenProps = { initial: CatalogPage; view: CatalogView; user: AuthUser | null }

/** Shows the threads of a board as a grid. */
export function CatalogScreen({ initial, view: initialView, user }: CatalogScreenProps) {
  const list = useBoard(initial, {
    path: catalogDataPath(initial.board.id),
    isFirst: true,
    max: boardLimits.catalogThreads,
  })
  const { board, threads, newThreads, nextCursor, isDeleted, showNewThreads } = list
  const { filter: view, change } = useUrlFilter(initialView, (changed) => catalogViewPath(board.id, changed))
  const hide = usePostFilter(board.id)
  const shown = sortCatalog(threads, view.sort).filter(
    (thread) => matchesCatalogFilter(thread, view.filter) && !hide?.(thread),
  )
  const { renderControls, controlsHost } = useThreadControls(list, user)

  return (
    <div className="wrap">
      <SvgSprite icons={catalogIcons} />
      <BoardHead
        board={board}
        page="catalog"
        title={t('board.catalogTitle', { board: board.id })}
        lead={board.description}
        tools={<CatalogFilter boardId={board.id} view={view} onFilter={(filter) => change({ filter })} />}
        options={
          <>
            <p className="data" role="status">
              {countText(shown.length, threads.length)}
            </p>
            <CatalogOrder boardId={board.id} view={view} />
          </>
        }
      />
      {isDeleted && (
        <div className={postList.notice}>
          <Alert>{t('board.boardGone')}</Alert>
        </div>
      )}
      <NewThreadsNotice threads={threads} newThreads={newThreads} onShow={showNewThreads} />
      {shown.length === 0 ? (
        <EmptyState
          action={
            threads.length > 0 && <Button onClick={() => change({ filter: '' })}>{t('board.showAllThreads')}</Button>
          }
        >
          {threads.length === 0 ? t('board.noThreads') : t('board.noThreadMatches')}
        </EmptyState>
      ) : (
        <div className={styles.grid}>
          {shown.map((thread) => (
            <CatalogCard key={thread.id} thread={thread} renderControls={renderControls} />
          ))}
        </div>
      )}
      <Pagination
        next={nextCursor === null ? undefined : olderPath(board.id, nextCursor)}
        nextLabel={t('board.olderThreads')}
      />
      <ReadingTools boardId={board.id} />
      {controlsHost}
    </div>
  )
}

const countText = (shown: number, count: number): string =>
  shown === count ? t('board.threadCount', { count }) : t('board.threadsShown', { shown, count })
