import {
  CATALOG_SORTS,
  type CatalogSort,
  type CatalogView,
  catalogPath,
  catalogViewPath,
} from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { ChipLink } from '#src/ui/Chip.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import styles from './CatalogControls.module.css'

const SORT_LABELS: Record<CatalogSort, () => string> = {
  activity: () => t('board.lastActivity'),
  created: () => t('board.newest'),
  replies: () => t('board.mostReplies'),
}

type ViewProps = { boardId: string; view: CatalogView }

/** Filters the catalog. Without JavaScript, the form requests the filtered page from the server. */
export function CatalogFilter({ boardId, view, onFilter }: ViewProps & { onFilter: (filter: string) => void }) {
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

export function CatalogOrder({ boardId, view }: ViewProps) {
  return (
    <nav className={styles.sorts} aria-label={t('board.order')}>
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
