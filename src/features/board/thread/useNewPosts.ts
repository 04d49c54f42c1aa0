import { useEffect, useRef, useState } from 'react'
import { authorOf, findPost, kindOf, postIds } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'

/** Combines announcements, so that screen readers do not announce every post in a busy thread. */
const ANNOUNCE_MS = 3000

/**
 * Marks posts that were added since the page loaded.
 * @param version changes with the posts on the page
 * @returns `belowIds`: new posts of others below the visible part; `announcement`: text for screen readers; `markOwn`:
 * excludes the visitor's own post
 */
export function useNewPosts(version: number) {
  const knownIds = useRef<ReadonlySet<number> | null>(null)
  const ownIds = useRef(new Set<number>())
  const unannouncedIds = useRef<number[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [belowIds, setBelowIds] = useState<readonly number[]>([])
  const [announcement, setAnnouncement] = useState('')

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => {
    const ids = new Set(postIds())
    const before = knownIds.current ?? ids
    const added = [...ids].filter((id) => !before.has(id))
    knownIds.current = ids
    setBelowIds((below) => (below.every((id) => ids.has(id)) ? below : below.filter((id) => ids.has(id))))
    if (added.length === 0) return

    for (const id of added) findPost(id)?.setAttribute('data-fresh', '')
    const addedBelow = added.filter((id) => (findPost(id)?.getBoundingClientRect().top ?? 0) > innerHeight)
    setBelowIds((before) => [...before, ...addedBelow])

    unannouncedIds.current.push(...added)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const others = unannouncedIds.current.splice(0).filter((id) => !ownIds.current.has(id))
      setAnnouncement(describe(others))
    }, ANNOUNCE_MS)
  }, [version])

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
      const element = findPost(id)
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [belowIds])

  return {
    belowIds: belowIds.filter((id) => !ownIds.current.has(id)),
    announcement,
    markOwn: (id: number) => {
      ownIds.current.add(id)
      setBelowIds((before) => before.filter((other) => other !== id))
    },
  }
}

function describe(ids: number[]): string {
  const posts = ids.flatMap((id) => findPost(id) ?? []).filter((post) => authorOf(post) !== '')
  const [first] = posts
  if (!first) return ''
  const author = authorOf(first)
  const count = posts.length
  const areComments = posts.every((post) => kindOf(post) === 'comment')
  if (count > 1) return areComments ? t('board.newComments', { count }) : t('board.newPosts', { count })
  return areComments ? t('board.newCommentBy', { author }) : t('board.newReplyBy', { author })
}
