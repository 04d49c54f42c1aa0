import { useEffect } from 'react'
import { findPost } from '#src/features/board/post/postElements.ts'
import { trpc } from '#src/lib/trpc.ts'

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

/** `#45` and `#q45` of vichan and jschan, `#p45` of 4chan. */
const OLD_FRAGMENT = /^#[pq]?([1-9]\d{0,14})$/

/** Goes to the post that a fragment of an old URL names. The server redirects the URL without seeing its fragment. */
export function useOldFragment(threadId: number): void {
  useEffect(() => {
    const follow = async () => {
      const { hash } = location
      const number = OLD_FRAGMENT.exec(hash)?.[1]
      if (number === undefined || document.getElementById(hash.slice(1))) return
      const imported = await findImportedId(threadId, number)
      const target = `#p${imported ?? number}`
      if (location.hash !== hash || target === hash) return
      if (imported !== null || document.getElementById(target.slice(1))) location.replace(target)
    }
    void follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [threadId])
}

/** Without an answer, the page stays at its start. */
const findImportedId = async (threadId: number, number: string): Promise<number | null> => {
  try {
    return await (await trpc()).board.importedId.query({ threadId, number })
  } catch {
    return null
  }
}
