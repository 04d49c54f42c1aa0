import { type ReactNode, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { authorOf, idOf, listHideable, postTextOf, textIn } from '#src/features/board/post/postElements.ts'
import type { PostFilter } from './postFilter.ts'

type Stub = { place: HTMLElement; stub: ReactNode; id: number }

/** Shows stubs in the place of the hidden posts of a thread, or of hidden threads. @param version changes with the posts on the page */
export function HiddenPosts({ filter, version }: { filter: PostFilter; version: number }) {
  const [stubs, setStubs] = useState<Stub[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useLayoutEffect(() => {
    setStubs(listHideable().flatMap((post) => hide(post, filter) ?? []))
  }, [filter, version])

  return stubs.map(({ place, stub, id }) => createPortal(stub, place, String(id)))
}

/** Hides a post, or shows it again. */
function hide(post: HTMLElement, filter: PostFilter): Stub | null {
  const id = idOf(post)
  const content = textIn(post, '.excerpt') || postTextOf(post)
  const stub = filter({ id, author: authorOf(post), title: textIn(post, 'h2'), content })
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
