import { useEffect } from 'react'
import { findPost } from '#src/features/board/post/postElements.ts'

/** Marks the post in the URL's hash. Replaces CSS `:target`, which ignores client-side navigation. */
export function useLinkedPost(version: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the post can arrive later
  useEffect(() => {
    const update = () => {
      for (const post of document.querySelectorAll<HTMLElement>('.post[data-marked]')) delete post.dataset.marked
      const id = Number(/^#p(\d{1,15})$/.exec(location.hash)?.[1] ?? 0)
      const post = id ? findPost(id) : null
      if (post) post.dataset.marked = ''
    }
    update()
    window.addEventListener('hashchange', update)
    return () => window.removeEventListener('hashchange', update)
  }, [version])
}
