import { type ReactNode, useEffectEvent, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { authorOf, idOf, listHideable, postTextOf, textIn } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { createMatcher } from '#src/lib/matchFilter.ts'
import { buttonClass } from '#src/ui/Button.tsx'
import { isFiltersDialogOpen, openedPosts, openPost, readerFilters, unhidePost } from './readerFilterStore.ts'
import styles from './reading.module.css'

type Stub = { place: HTMLElement; stub: ReactNode; id: number }

export type HiddenPostsProps = {
  boardId: string | undefined
  /** changes with the posts on the page */
  version: number
  /** called after posts were hidden or shown */
  onHide?: (() => void) | undefined
}

/** Hides posts and threads that the reader hides, and shows stubs in their place. Catalogs have no stubs. */
export function HiddenPosts({ boardId, version, onHide }: HiddenPostsProps) {
  const [stubs, setStubs] = useState<Stub[]>([])
  const filters = readerFilters.useValue()
  const opened = openedPosts.useValue()
  const tell = useEffectEvent(() => onHide?.())

  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter reads the stores
  useLayoutEffect(() => {
    /** by board: the page of all boards has threads of several */
    const made = new Map<string | undefined, PostFilter>()
    const filterOf = ({ dataset: { board = boardId } }: HTMLElement) => {
      const filter = made.get(board) ?? createPostFilter(board)
      made.set(board, filter)
      return filter
    }
    setStubs(listHideable().flatMap((post) => hide(post, filterOf(post)) ?? []))
    tell()
  }, [filters, opened, boardId, version])

  return stubs.map(({ place, stub, id }) => createPortal(stub, place, String(id)))
}

/** Hides a post, or shows it again. */
function hide(post: HTMLElement, filter: PostFilter): Stub | null {
  const id = idOf(post)
  const text = textIn(post, '.excerpt') || postTextOf(post)
  const stub = filter({ id, author: authorOf(post), title: textIn(post, 'h2'), text })
  const existing = post.querySelector<HTMLElement>(':scope > [data-stub]')
  post.toggleAttribute('data-hidden', stub !== null)
  if (stub === null) {
    existing?.remove()
    return null
  }
  const place = existing ?? document.createElement('div')
  place.dataset.stub = ''
  if (!existing) post.prepend(place)
  return { place, stub, id }
}

type FilteredPost = { id: number; author: string; text: string; title?: string | undefined }

/** Renders what a page shows instead of a hidden post; null for other posts. */
type PostFilter = (post: FilteredPost) => ReactNode

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
    <p className={`cluster hint ${styles.hidden}`}>
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
      <button type="button" className={className} onClick={() => isFiltersDialogOpen.set(true)}>
        {t('board.filters')}
      </button>
    </p>
  )
}
