import { useCallback, useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import {
  CATALOG_SORTS,
  type CatalogSort,
  type CatalogView,
  catalogDataPath,
  catalogPath,
  catalogViewPath,
  matchesCatalogFilter,
  olderPath,
  type ShownCatalog,
} from '#src/contract/thread.ts'
import { textIn } from '#src/features/board/post/postElements.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'
import { useUrlFilter } from '#src/lib/useUrlFilter.ts'
import { Button } from '#src/ui/Button.tsx'
import { ChipLink } from '#src/ui/Chip.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { BoardHead } from './BoardHead.tsx'
import './CatalogTiles.css'
import { cardsIn, waitingIn } from './changeCards.ts'
import { ListedThreads } from './ListedThreads.tsx'
import styles from './listScreens.module.css'
import { useList } from './useList.ts'

type CatalogScreenProps = { initial: ShownCatalog; view: CatalogView; user: AuthUser | null }

/** Shows the threads of a board as a grid. */
export function CatalogScreen({ initial, view: initialView, user }: CatalogScreenProps) {
  const shown = useList(initial, {
    path: catalogDataPath(initial.board.id, currentLanguage(), initialView.sort),
    isFirst: true,
    isSorted: initialView.sort !== 'activity',
  })
  const { list, board, count, nextCursor } = shown
  const { filter: view, change } = useUrlFilter(initialView, (changed) => catalogViewPath(board.id, changed))
  const [matching, setMatching] = useState(initial.matching)

  const filterTiles = useCallback(() => {
    if (!list.current) return
    for (const tile of [...cardsIn(list.current), ...waitingIn(list.current)]) {
      const thread = { title: textIn(tile, 'h2'), preview: textIn(tile, '.excerpt') }
      tile.hidden = !matchesCatalogFilter(thread, view.filter)
    }
    setMatching(cardsIn(list.current).filter((tile) => !tile.matches('[hidden], [data-hidden]')).length)
  }, [list, view.filter])
  const isUnmatched = count > 0 && matching === 0

  return (
    <div className="wrap">
      <BoardHead
        board={board}
        page="catalog"
        title={t('board.catalogTitle', { board: board.id })}
        lead={board.description}
        tools={<CatalogFilter boardId={board.id} view={view} onFilter={(filter) => change({ filter })} />}
        options={
          <>
            <p className="data" role="status">
              {matching === count
                ? t('board.threadCount', { count })
                : t('board.threadsShown', { shown: matching, count })}
            </p>
            <CatalogOrder boardId={board.id} view={view} />
          </>
        }
      />
      <ListedThreads
        shown={shown}
        html={initial.html}
        className="tiles"
        user={user}
        empty={count === 0 && <EmptyState>{t('board.noThreads')}</EmptyState>}
        onChange={filterTiles}
      >
        {isUnmatched && (
          // In an element of its own: UnpublishedPostList.module.css hides that the board is empty.
          <div>
            <EmptyState action={<Button onClick={() => change({ filter: '' })}>{t('board.showAllThreads')}</Button>}>
              {t('board.noThreadMatches')}
            </EmptyState>
          </div>
        )}
        <Pagination
          next={nextCursor === null ? undefined : olderPath(board.id, nextCursor)}
          nextLabel={t('board.olderThreads')}
        />
      </ListedThreads>
    </div>
  )
}

const SORT_LABELS: Record<CatalogSort, () => string> = {
  activity: () => t('board.lastActivity'),
  created: () => t('board.newest'),
  replies: () => t('board.mostReplies'),
}

type ViewProps = { boardId: string; view: CatalogView }

/** Filters the catalog. Without JavaScript, the form requests the filtered page from the server. */
function CatalogFilter({ boardId, view, onFilter }: ViewProps & { onFilter: (filter: string) => void }) {
  return (
    <search className={styles.search}>
      <form action={catalogPath(boardId)} onSubmit={(event) => event.preventDefault()}>
        {view.sort !== 'activity' && <input type="hidden" name="sort" value={view.sort} />}
        <SearchField
          name="filter"
          aria-label={t('board.filterThreads')}
          placeholder={t('board.filterPlaceholder')}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={100}
          value={view.filter}
          onChange={({ target }) => onFilter(target.value)}
        />
        <Button native type="submit" className={styles.submit}>
          {t('board.filter')}
        </Button>
      </form>
    </search>
  )
}

function CatalogOrder({ boardId, view }: ViewProps) {
  return (
    <nav className={`cluster scroller ${styles.sorts}`} aria-label={t('search.order')}>
      {CATALOG_SORTS.map((sort) => (
        <ChipLink
          key={sort}
          href={catalogViewPath(boardId, { ...view, sort })}
          aria-current={sort === view.sort ? 'true' : undefined}
        >
          {SORT_LABELS[sort]()}
        </ChipLink>
      ))}
    </nav>
  )
}
