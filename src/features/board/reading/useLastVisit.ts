import { useEffect } from 'react'
import { idOf, kindOf, listPosts } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'
import { readStored, writeStored } from '#src/lib/storage.ts'
import { followReading } from './followReading.ts'

const VISITS_KEY = 'dtpchan_visits'
/** Bounds the entry in the browser's storage. */
const MAX_THREADS = 200

type Visit = [threadId: number, readId: number]

function loadVisits(): Visit[] {
  const stored = readStored(VISITS_KEY)
  return Array.isArray(stored)
    ? stored.filter((visit) => Array.isArray(visit) && visit.every(Number.isSafeInteger))
    : []
}

/** Returns the newest post that this browser has read in a thread, or 0. */
export const lastReadId = (threadId: number): number => loadVisits().find(([id]) => id === threadId)?.[1] ?? 0

/**
 * Draws a line above the first post that was not on screen at the last visit, and stores what is on screen now.
 * @param version changes with the posts on the page
 */
export function useLastVisit(threadId: number | undefined, version: number): void {
  useEffect(() => {
    const last = loadVisits().find(([id]) => id === threadId)
    // Posts that arrive later are part of this visit.
    if (last) markNew(last[1])
  }, [threadId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => {
    if (threadId === undefined) return
    return followReading((readId) => {
      if (readId <= lastReadId(threadId)) return
      const others = loadVisits().filter(([id]) => id !== threadId)
      writeStored(VISITS_KEY, [[threadId, readId], ...others].slice(0, MAX_THREADS))
    })
  }, [threadId, version])
}

/** Comments are in the order of their numbers, so one line is enough for them. Replies to older comments have their own. */
function markNew(lastId: number): void {
  const comments = listPosts().filter((post) => kindOf(post) === 'comment')
  const older = comments.filter((comment) => idOf(comment) <= lastId)
  // A reader who stopped at the opening post has seen no comment yet: all are unread, and none is new.
  if (older.length === 0) return
  const first = comments.find((comment) => idOf(comment) > lastId)
  const replies = older.flatMap(
    (comment) => [...comment.querySelectorAll<HTMLElement>('.reply')].find((reply) => idOf(reply) > lastId) ?? [],
  )
  // The attribute is the text of a pseudo-element, so that the HTML stays as it is.
  for (const post of [...replies, ...(first ? [first] : [])]) post.dataset.newSince = t('board.newSinceVisit')
}
