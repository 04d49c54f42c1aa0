import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ShownBoard } from '#src/contract/thread.ts'
import { idOf } from '#src/features/board/post/postElements.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { cardsIn, mergeCards, parseCards, showCards } from './changeCards.ts'

type ListState = Omit<ShownBoard, 'html' | 'lastEventId'> & {
  /** number of threads that became active after the page loaded; a button shows them */
  waiting: number
  /** whether these are newer than the listed threads; otherwise, comments moved them up from a later page */
  areNew: boolean
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
  const [state, setState] = useState<ListState>(() => ({
    ...{ board, count, nextCursor },
    ...{ waiting: 0, areNew: false, isDeleted: false, version: 0 },
  }))
  const fetched = useRef({ ids: [] as number[], waiting: [] as HTMLElement[], lastEventId: initial.lastEventId })
  const goneIds = useRef<number[]>([])

  function change(facts: Partial<ListState> = {}) {
    const ids = list.current ? cardsIn(list.current).map(idOf) : []
    const { waiting } = fetched.current
    const areNew = waiting.every((card) => idOf(card) > Math.max(0, ...ids))
    setState((before) => ({
      ...before,
      ...{ count: ids.length, waiting: waiting.length, areNew, version: before.version + 1 },
      ...facts,
    }))
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
    const isWhole = isFirst && nextCursor === null
    const waiting = mergeCards(list.current, { written, isFirst, isWhole, isSorted })
    fetched.current = { ids: written.map(idOf), waiting, lastEventId }
    change({ board, nextCursor, isDeleted: false })
  }

  function showNew() {
    const { waiting, ids } = fetched.current
    fetched.current.waiting = []
    if (list.current && ids.length > 0) showCards(list.current, waiting, ids)
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
    fetched.current.waiting = fetched.current.waiting.filter((card) => idOf(card) !== threadId)
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

  // React renders a page again whose HTML something else has changed, such as an extension, and has no threads then.
  const readLost = useEffectEvent(() => {
    if (!initial.html && count > 0 && list.current?.childElementCount === 0) void reload().catch(() => {})
  })
  useEffect(() => readLost(), [])

  return { ...state, list, showNew, remove, reload }
}

/** Returns null if the board was deleted. */
async function fetchBoard(path: string): Promise<ShownBoard | null> {
  const response = await fetch(path)
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`Cannot load the board: status ${response.status}`)
  return response.json()
}
