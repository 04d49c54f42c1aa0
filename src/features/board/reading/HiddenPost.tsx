import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { createMatcher } from '#src/lib/matchFilter.ts'
import { buttonClass } from '#src/ui/Button.tsx'
import styles from './HiddenPost.module.css'
import { OPEN_FILTERS } from './postFilter.ts'
import { openedPosts, openPost, readerFilters, unhidePost } from './readerFilterStore.ts'

type FilteredPost = { id: number; author: string; text: string; title?: string | undefined }

/** Renders what a page shows instead of a hidden post; null for other posts. */
export type PostFilter = (post: FilteredPost) => ReactNode

/** Returns the current filter. */
export function createPostFilter(boardId: string | undefined): PostFilter {
  const { hidden, filters } = readerFilters.get()
  const hiddenIds = new Set(hidden)
  const openedIds = new Set(openedPosts.get())
  const findFilter = createMatcher(filters, boardId)
  return ({ id, author, title, text }) => {
    if (openedIds.has(id)) return null
    const isHidden = hiddenIds.has(id)
    const filter = isHidden ? null : findFilter({ id, author, title, text })
    return isHidden || filter ? <HiddenPost id={id} reason={filter?.value} /> : null
  }
}

/** Takes the place of a hidden post. @param reason the filter that hides it; undefined if the reader hid this post */
function HiddenPost({ id, reason }: { id: number; reason: string | undefined }) {
  function show(element: HTMLElement, run: (postId: number) => void) {
    // Previews are groups.
    const post = element.closest('article, [role=group]')
    run(id)
    focusOn(post)
  }
  const className = buttonClass({ variant: 'text', size: 'small' })
  return (
    <p className={styles.hidden}>
      {t('board.hiddenPost', { id })}
      {reason !== undefined && <span className="data">{t('board.filterReason', { filter: reason })}</span>}
      <button type="button" className={className} onClick={({ currentTarget }) => show(currentTarget, openPost)}>
        {t('board.show')}
      </button>
      {reason === undefined && (
        <button type="button" className={className} onClick={({ currentTarget }) => show(currentTarget, unhidePost)}>
          {t('board.undo')}
        </button>
      )}
      <button type="button" className={className} onClick={() => dispatchEvent(new Event(OPEN_FILTERS))}>
        {t('board.filters')}
      </button>
    </p>
  )
}
