import { useEffect, useRef, useState } from 'react'
import type { PostView } from '#src/contract/post.ts'
import type { ThreadView } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { postIds } from './postIds.ts'

/** Combines announcements, so that screen readers do not announce every post in a busy thread. */
const ANNOUNCE_MS = 3000

const elementOf = (id: number) => document.getElementById(`p${id}`)

/**
 * @returns `newIds`: posts added since the page loaded; `belowIds`: new posts of others below the visible part;
 * `announcement`: text for screen readers; `markOwn`: excludes the visitor's own post
 */
export function useNewPosts(thread: ThreadView) {
  const knownIds = useRef<ReadonlySet<number>>(new Set(postIds(thread)))
  const ownIds = useRef(new Set<number>())
  const unannouncedIds = useRef<number[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(thread)
  const [newIds, setNewIds] = useState<ReadonlySet<number>>(new Set())
  const [belowIds, setBelowIds] = useState<readonly number[]>([])
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    latest.current = thread
    const ids = postIds(thread)
    const added = ids.filter((id) => !knownIds.current.has(id))
    knownIds.current = new Set(ids)
    setBelowIds((before) =>
      before.every((id) => knownIds.current.has(id)) ? before : before.filter((id) => knownIds.current.has(id)),
    )
    if (added.length === 0) return

    setNewIds((before) => new Set([...before, ...added]))
    const addedBelow = added.filter((id) => (elementOf(id)?.getBoundingClientRect().top ?? 0) > innerHeight)
    setBelowIds((before) => [...before, ...addedBelow])

    unannouncedIds.current.push(...added)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const others = unannouncedIds.current.splice(0).filter((id) => !ownIds.current.has(id))
      setAnnouncement(describe(latest.current, others))
    }, ANNOUNCE_MS)
  }, [thread])

  useEffect(() => () => clearTimeout(timer.current), [])

  // Clears the text: otherwise, screen readers would not announce the same text again.
  useEffect(() => {
    if (!announcement) return
    const timeout = setTimeout(() => setAnnouncement(''), ANNOUNCE_MS - 500)
    return () => clearTimeout(timeout)
  }, [announcement])

  useEffect(() => {
    if (belowIds.length === 0) return
    const observer = new IntersectionObserver((entries) => {
      const passed = entries.filter((entry) => entry.isIntersecting || entry.boundingClientRect.top < innerHeight)
      const ids = new Set(passed.map((entry) => Number(entry.target.id.slice(1))))
      if (ids.size > 0) setBelowIds((before) => before.filter((id) => !ids.has(id)))
    })
    for (const id of belowIds) {
      const element = elementOf(id)
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [belowIds])

  return {
    newIds,
    belowIds: belowIds.filter((id) => !ownIds.current.has(id)),
    announcement,
    markOwn: (id: number) => {
      ownIds.current.add(id)
      setBelowIds((before) => before.filter((other) => other !== id))
    },
  }
}

function describe(thread: ThreadView, ids: number[]): string {
  const isAnnounced = ({ id, deleted }: PostView) => !deleted && ids.includes(id)
  const comments = thread.comments.filter(isAnnounced)
  const replies = thread.comments.flatMap((comment) => comment.replies).filter(isAnnounced)
  const [first] = [...comments, ...replies]
  if (!first) return ''
  const { author } = first
  const count = comments.length + replies.length
  if (count > 1) return replies.length === 0 ? t('board.newComments', { count }) : t('board.newPosts', { count })
  return replies.length === 0 ? t('board.newCommentBy', { author }) : t('board.newReplyBy', { author })
}
