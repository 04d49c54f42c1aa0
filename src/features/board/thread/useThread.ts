import { type RefObject, useRef, useState } from 'react'
import type { PageEvent } from '#src/contract/events.ts'
import type { ShownThread, ThreadHead } from '#src/contract/thread.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { putPost, removePost, replacePosts } from './changePosts.ts'

type ThreadState = {
  thread: ThreadHead
  isDeleted: boolean
  /** the board that has the thread now */
  movedTo: string | null
  /** changes with the posts on the page */
  version: number
}

/** Keeps the posts on the page current. `list` is the element of the comments. */
export function useThread(initial: ShownThread, list: RefObject<HTMLElement | null>) {
  const boardId = initial.board.id
  const threadId = initial.thread.id
  const omitsOldest = initial.omitted !== undefined
  const [state, setState] = useState<ThreadState>({
    thread: initial.thread,
    isDeleted: false,
    movedTo: null,
    version: 0,
  })
  /** for each fetch, the events and own posts since it began: its answer may be older */
  const fetches = useRef(new Set<PageEvent[]>())

  function change(next: (thread: ThreadHead) => ThreadHead) {
    setState(({ thread, ...others }) => ({ ...others, thread: next(thread), version: others.version + 1 }))
  }

  function remove(postId: number) {
    removePost(postId)
    change((thread) => thread)
  }

  function apply({ change: made, topic, post }: PageEvent) {
    if (made.kind === 'thread-gone' || (made.kind === 'board-gone' && made.boardId === boardId))
      setState((before) => ({ ...before, isDeleted: true }))
    // A page that is loaded after the move can get its event, too, and a thread can come back.
    if (made.kind === 'thread-moved')
      setState((before) => ({ ...before, movedTo: made.boardId === boardId ? null : made.boardId }))
    if (topic === 'boards' || !list.current) return
    if (made.kind !== 'post') return
    if (!post) return remove(made.postId)
    putPost(list.current, post, omitsOldest)
    const {
      boardId: _board,
      threadId: _thread,
      title: _title,
      parentId: _parent,
      view: _view,
      html: _html,
      ...counts
    } = post
    change((thread) => ({ ...thread, ...counts }))
  }

  function receive(event: PageEvent) {
    for (const during of fetches.current) during.push(event)
    apply(event)
  }

  async function refetch() {
    const during: PageEvent[] = []
    fetches.current.add(during)
    try {
      const fetched = await orNull(async () =>
        (await trpc()).board.shownThread.query({ boardId, threadId: String(threadId) }),
      )
      if (!fetched) return setState((before) => ({ ...before, isDeleted: true }))
      // The page has missed the event of a move.
      if (fetched.thread.boardId !== boardId)
        return setState((before) => ({ ...before, movedTo: fetched.thread.boardId }))
      if (list.current && fetched.html) replacePosts(list.current, fetched.html)
      setState(({ version }) => ({ thread: fetched.thread, isDeleted: false, movedTo: null, version: version + 1 }))
      for (const event of during) apply(event)
    } finally {
      fetches.current.delete(during)
    }
  }

  /** Adds the visitor's own post, and the links to it, before their events arrive. */
  async function add(id: number) {
    const show = async (postId: number) => {
      const post = await orNull(async () => (await trpc()).board.shownPost.query({ postId: String(postId) }))
      if (post) receive({ topic: `thread:${threadId}`, change: { kind: 'post', postId }, post })
      return post?.view.quotes ?? []
    }
    for (const quoted of await show(id)) if (quoted.threadId === threadId) await show(quoted.id)
  }

  useEvents({
    topics: [`thread:${threadId}`, 'boards'],
    lastEventId: initial.lastEventId,
    onEvent: receive,
    refetch,
  })

  return { ...state, add, remove, refetch }
}

/** Returns null for what was deleted. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') return null
    throw error
  }
}
