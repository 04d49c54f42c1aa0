import { type ReactNode, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { authorOf, idOf, listHideable, postTextOf, textIn } from '#src/features/board/post/postElements.ts'
import { createPostFilter, type PostFilter } from './HiddenPost.tsx'
import { openedPosts, readerFilters } from './readerFilterStore.ts'

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
    onHide?.()
  }, [filters, opened, boardId, version, onHide])

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
