import { useEffect, useRef, useState } from 'react'
import type { ThreadView } from '#src/contract/board.ts'
import { postIds } from './merge.ts'

/** A busy thread is not read out post by post. */
const ANNOUNCE_MS = 3000

const elementOf = (id: number) => document.getElementById(`p${id}`)

/**
 * Watches what is added to a thread while it is shown.
 * @returns `fresh` posts that were added; `below`, those of others the reader has not come to yet; `announcement` for
 * screen readers; `markOwn` to name a post of the reader's own
 */
export function useNewPosts(thread: ThreadView) {
  const known = useRef<ReadonlySet<number>>(new Set(postIds(thread)))
  const own = useRef(new Set<number>())
  const pending = useRef<number[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(thread)
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const [below, setBelow] = useState<readonly number[]>([])
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    latest.current = thread
    const ids = postIds(thread)
    const added = ids.filter((id) => !known.current.has(id))
    known.current = new Set(ids)
    setBelow((before) =>
      before.every((id) => known.current.has(id)) ? before : before.filter((id) => known.current.has(id)),
    )
    if (added.length === 0) return

    setFresh((before) => new Set([...before, ...added]))
    const beyond = added.filter((id) => (elementOf(id)?.getBoundingClientRect().top ?? 0) > innerHeight)
    setBelow((before) => [...before, ...beyond])

    pending.current.push(...added)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const others = pending.current.splice(0).filter((id) => !own.current.has(id))
      setAnnouncement(describe(latest.current, others))
    }, ANNOUNCE_MS)
  }, [thread])

  useEffect(() => () => clearTimeout(timer.current), [])

  // The same sentence twice is read only if it was gone in between.
  useEffect(() => {
    if (!announcement) return
    const forget = setTimeout(() => setAnnouncement(''), ANNOUNCE_MS - 500)
    return () => clearTimeout(forget)
  }, [announcement])

  useEffect(() => {
    if (below.length === 0) return
    const observer = new IntersectionObserver((entries) => {
      const passed = entries.filter((entry) => entry.isIntersecting || entry.boundingClientRect.top < innerHeight)
      const ids = new Set(passed.map((entry) => Number(entry.target.id.slice(1))))
      if (ids.size > 0) setBelow((before) => before.filter((id) => !ids.has(id)))
    })
    for (const id of below) {
      const element = elementOf(id)
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [below])

  return {
    fresh,
    below: below.filter((id) => !own.current.has(id)),
    announcement,
    markOwn: (id: number) => {
      own.current.add(id)
      setBelow((before) => before.filter((one) => one !== id))
    },
  }
}

function describe(thread: ThreadView, ids: number[]): string {
  const comments = thread.comments.filter((comment) => ids.includes(comment.id))
  const replies = thread.comments.flatMap((comment) => comment.replies).filter((reply) => ids.includes(reply.id))
  const [first] = [...comments, ...replies]
  if (!first) return ''
  if (comments.length + replies.length === 1)
    return `New ${comments.length === 1 ? 'comment' : 'reply'} by ${first.author}`
  return replies.length === 0 ? `${comments.length} new comments` : `${comments.length + replies.length} new posts`
}
