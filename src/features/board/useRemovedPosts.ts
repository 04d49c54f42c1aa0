import { useEffect, useState } from 'react'
import { trpc } from '#src/lib/trpc.ts'
import { type HeldPost, removeHeldPosts } from './heldPosts.ts'
import { findToken } from './ownPosts.ts'

/**
 * Asks the server what became of this browser's held posts, when the page opens and when the visitor comes back to it.
 * Forgets those that were published.
 * @returns the posts that were removed, with the reason, which may be empty
 */
export function useRemovedPosts(posts: HeldPost[]): ReadonlyMap<number, string> {
  const [reasons, setReasons] = useState<ReadonlyMap<number, string>>(new Map())
  const ids = posts.map(({ id }) => id).join()
  useEffect(() => {
    if (ids === '') return
    let isCurrent = true
    const ask = async () => {
      if (document.hidden) return
      // Without an answer, the posts are still shown as waiting.
      const answers = await readStatuses(ids.split(',').map(Number)).catch(() => [])
      if (!isCurrent) return
      removeHeldPosts(answers.filter(({ status }) => status === 'published').map(({ id }) => id))
      setReasons(new Map(answers.flatMap(({ id, status, reason }) => (status === 'removed' ? [[id, reason]] : []))))
    }
    void ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      isCurrent = false
      document.removeEventListener('visibilitychange', ask)
    }
  }, [ids])
  return reasons
}

async function readStatuses(ids: number[]) {
  const { board } = await trpc()
  const answers = ids.map(async (id) => {
    const deleteToken = findToken(id)
    return deleteToken === undefined
      ? []
      : { id, ...(await board.postStatus.query({ postId: String(id), deleteToken })) }
  })
  return (await Promise.all(answers)).flat()
}
