import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import postList from '#src/features/board/lists/postList.module.css'
import { idOf } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'
import { focusOn, prepareNeighbourFocus } from '#src/lib/focus.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { inlinePosts, toggleInPlace } from './quoteStores.ts'
import { hidePost } from './readerFilterStore.ts'

type Place = { id: number; element: Element }

/** Shows a button that hides the post under the pointer or focus, among its actions, beside its number or in its corner. */
export function HideButton() {
  const [place, setPlace] = useState<Place | null>(null)

  useEffect(() => {
    const update = ({ target }: Pick<Event, 'target'>) => {
      const post = target instanceof Element ? target.closest('main article') : null
      if (post) setPlace((before) => (before?.element.closest('article') === post ? before : findPlace(post)))
    }
    // This code loads when the page is idle: a post can have the focus already.
    update({ target: document.activeElement })
    document.addEventListener('pointerover', update)
    document.addEventListener('focusin', update)
    return () => {
      document.removeEventListener('pointerover', update)
      document.removeEventListener('focusin', update)
    }
  }, [])

  if (!place?.element.isConnected) return null
  return createPortal(
    <button
      type="button"
      className={postList.hide}
      data-hide=""
      aria-label={t('board.hidePost', { id: place.id })}
      onClick={({ currentTarget }) => hide(currentTarget.closest('article'))}
    >
      {t('board.hide')}
    </button>,
    place.element,
  )
}

/** Returns where the actions or the number of a post are, or a tile of a catalog; null for the opening post of a thread. */
function findPlace(post: Element): Place | null {
  const element =
    post.querySelector('header > .actions') ??
    post.querySelector('header .number')?.parentElement ??
    post.closest('.tile')
  return isHideable(post) && element ? { id: idOf(post), element } : null
}

/** Comments, replies, and threads in lists can be hidden. */
const isHideable = (post: Element) => post.matches(':is(.comment, .reply, .card, .tile)')

/** Hides a post or thread of the page. */
export function hide(post: Element | null): void {
  if (!post || !isHideable(post)) return
  for (const { link } of inlinePosts.get()) if (post.contains(link)) toggleInPlace(link)
  const moveFocus = prepareNeighbourFocus(post)
  hidePost(idOf(post))
  // Catalogs show no stub.
  if (post.matches('.tile')) moveFocus()
  else focusOn(post)
}

/** Adds buttons that copy the code of posts. @param version changes with the posts on the page */
export function CodeButtons({ version }: { version: number }) {
  const [captions, setCaptions] = useState<Element[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => setCaptions([...document.querySelectorAll('main .code > figcaption')]), [version])
  return captions.map((caption) =>
    createPortal(
      <CopyButton text={caption.nextElementSibling?.textContent ?? ''} label={t('board.copyCode')} />,
      caption,
    ),
  )
}
