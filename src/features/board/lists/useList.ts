import { useRef, useState } from 'react'
import type { ShownBoard } from '#src/contract/thread.ts'
import { idOf } from '#src/features/board/post/postElements.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { cardsIn, mergeCards, parseCards, showCards, waitingIn } from './changeCards.ts'

type ListState = Omit<ShownBoard, 'html' | 'lastEventId'> & {
  isDeleted: boolean
  /** changes with the threads on the page */
  version: number
}

/** `path` is the URL of the page's data as JSON. Threads keep their places, unless the order of the server `isSorted`. */
type Source = { path: string; isFirst: boolean; isSorted?: boolean }

/** Keeps a board page or a catalog current. `list` is the ref of the element with the HTML. */
export function useList(initial: ShownBoard, { path, isFirst, isSorted = false }: Source) {
  const { board, count, nextCursor } = initial
  const list = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<ListState>(() => ({ board, count, nextCursor, isDeleted: false, version: 0 }))
  const fetched = useRef({ ids: [] as number[], lastEventId: initial.lastEventId })
  const goneIds = useRef<number[]>([])

  function change(facts: Partial<ListState> = {}) {
    const count = list.current ? cardsIn(list.current).length : 0
    setState((before) => ({ ...before, count, version: before.version + 1, ...facts }))
  }

  async function refetch() {
    const goneBefore = goneIds.current.length
    const page = await fetchBoard(path)
    if (!page) return change({ isDeleted: true })
    const { html = '', board, nextCursor, lastEventId } = page
    if (!list.current || Number(lastEventId) < Number(fetched.current.lastEventId)) return
    // The answer may be older than the deletions during the fetch.
    const gone = goneIds.current.slice(goneBefore)
    const written = parseCards(html).filter((card) => !gone.includes(idOf(card)))
    mergeCards(list.current, { written, isFirst, isWhole: isFirst && nextCursor === null, isSorted })
    fetched.current = { ids: written.map(idOf), lastEventId }
    change({ board, nextCursor, isDeleted: false })
  }

  function showNew() {
    const { ids } = fetched.current
    if (list.current && ids.length > 0) showCards(list.current, ids)
    change()
  }

  /** Shows all new threads after the visitor posted. */
  async function reload() {
    await refetch()
    showNew()
  }

  function remove(threadId: number) {
    goneIds.current.push(threadId)
    document.getElementById(`t${threadId}`)?.remove()
    change()
  }

  useEvents({
    topics: [`board:${board.id}`, 'boards'],
    lastEventId: initial.lastEventId,
    onEvent: ({ change: made }, refetchSoon) => {
      if (made.kind === 'board-gone' && made.boardId === board.id) change({ isDeleted: true })
      else if (made.kind === 'thread-gone') remove(made.threadId)
      else if (made.kind === 'thread') refetchSoon()
    },
    refetch,
  })

  return { ...state, list, showNew, remove, reload }
}

/** Counts the waiting threads that neither the reader nor the filter of the page hides. */
export function countWaiting(list: Element | null): { count: number; areNew: boolean } {
  const waiting = list ? waitingIn(list).filter((card) => !card.matches('[hidden], [data-hidden]')) : []
  const newestId = Math.max(0, ...(list ? cardsIn(list).map(idOf) : []))
  return { count: waiting.length, areNew: waiting.every((card) => idOf(card) > newestId) }
}

/** Returns null if the board was deleted. */
async function fetchBoard(path: string): Promise<ShownBoard | null> {
  const response = await fetch(path)
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`Cannot load the board: status ${response.status}`)
  return response.json()
}
