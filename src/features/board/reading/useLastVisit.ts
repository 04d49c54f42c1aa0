import { useEffect } from 'react'
import type { ThreadView } from '#src/contract/thread.ts'
import { postIds } from '#src/features/board/thread/postIds.ts'
import { t } from '#src/i18n/t.ts'
import { readStored, writeStored } from '#src/lib/storage.ts'

const VISITS_KEY = 'dtpchan_visits'
/** Bounds the entry in the browser's storage. */
const MAX_THREADS = 200

type Visit = [threadId: number, newestId: number]

function loadVisits(): Visit[] {
  const stored = readStored(VISITS_KEY)
  return Array.isArray(stored)
    ? stored.filter((visit) => Array.isArray(visit) && visit.every(Number.isSafeInteger))
    : []
}

/** Draws a line above the first post that is newer than the newest one of the last visit, and stores this visit. */
export function useLastVisit(thread: ThreadView | null): void {
  const threadId = thread?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: posts that arrive later are part of this visit
  useEffect(() => {
    const last = loadVisits().find(([id]) => id === threadId)
    if (thread && last) markNew(thread, last[1])
  }, [threadId])
  useEffect(() => {
    if (!thread) return
    const others = loadVisits().filter(([id]) => id !== thread.id)
    writeStored(VISITS_KEY, [[thread.id, Math.max(...postIds(thread))], ...others].slice(0, MAX_THREADS))
  }, [thread])
}

/** Comments are in the order of their numbers, so one line is enough for them. Replies to older comments have their own. */
function markNew({ comments }: ThreadView, lastId: number): void {
  const older = comments.filter(({ id }) => id <= lastId)
  const first = comments.find(({ id }) => id > lastId)
  const replies = older.flatMap((comment) => comment.replies.find(({ id }) => id > lastId) ?? [])
  for (const { id } of [...replies, ...(first ? [first] : [])]) {
    const element = document.getElementById(`p${id}`)
    // The attribute is the text of a pseudo-element, so that the list needs no second render.
    if (element) element.dataset.newSince = t('board.newSinceVisit')
  }
}
