import { useEffect, useState } from 'react'
import type { PostStatus } from '#src/contract/post.ts'
import { trpc } from '#src/lib/trpc.ts'
import { findToken } from './ownPosts.ts'

/** Gives a new post time to arrive on the page. */
const DELAY_MS = 1000

/**
 * Asks the server what became of this browser's posts: when the page opens, when other posts are missing, and when the
 * visitor comes back to the page or online.
 * @returns the statuses by the posts' ids; empty until the server has answered
 */
export function useOwnStatuses(postIds: number[]): ReadonlyMap<number, PostStatus> {
  const [statuses, setStatuses] = useState<ReadonlyMap<number, PostStatus>>(new Map())
  const ids = postIds.join()
  useEffect(() => {
    if (ids === '') return
    let isCurrent = true
    const ask = async () => {
      if (document.hidden) return
      const answers = await readStatuses(ids.split(',').map(Number))
      if (isCurrent) setStatuses((known) => new Map([...known, ...answers]))
    }
    const timer = setTimeout(ask, DELAY_MS)
    document.addEventListener('visibilitychange', ask)
    addEventListener('online', ask)
    return () => {
      isCurrent = false
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', ask)
      removeEventListener('online', ask)
    }
  }, [ids])
  return statuses
}

/** Leaves out posts about which the server gives no answer: the network fails, or the server does not know the token. */
async function readStatuses(ids: number[]): Promise<[number, PostStatus][]> {
  const { board } = await trpc()
  const answers = ids.map(async (id): Promise<[number, PostStatus][]> => {
    const deleteToken = findToken(id)
    if (deleteToken === undefined) return []
    const status = await board.postStatus.query({ postId: String(id), deleteToken }).catch(() => null)
    return status ? [[id, status]] : []
  })
  return (await Promise.all(answers)).flat()
}
