import { useEffect, useEffectEvent } from 'react'
import { preload, type WritePost } from '#src/features/board/writing/usePostDialog.tsx'
import { localDateTime, relativeTime, utcDateTime } from '#src/lib/formatTime.ts'
import { whenIdle } from '#src/lib/whenIdle.ts'
import { authorOf, commentOf, idOf } from './postElements.ts'

/** Keeps the page responsive: a thread has hundreds of times. */
const BATCH = 40
const MINUTE = 60_000
/** Links to forms, in the HTML of the server and of `PostFormLink`. */
const FORM_LINKS = 'main :is(.reply-link, .thread-link)'

/**
 * Makes the posts of the server usable: shows times of the visitor, and opens forms and spoilers on clicks.
 * @param version changes with the posts on the page
 * @param write undefined if the page takes no posts
 * @param threadId undefined in lists of threads
 */
export function usePreparedPosts(version: number, boardId = '', write?: WritePost, threadId = 0): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: prepares the posts again when they have changed
  useEffect(() => {
    let cancel = () => {}
    /** Searches the page only once: a long thread has thousands of steps. */
    const prepare = (found?: HTMLElement[], start = 0) => {
      cancel()
      cancel = whenIdle(() => {
        const parts = found ?? [
          ...document.querySelectorAll<HTMLElement>(`main :is(.post, .card, .tile) time, ${FORM_LINKS}`),
        ]
        for (const part of parts.slice(start, start + BATCH)) {
          if (part instanceof HTMLTimeElement) showLocalTime(part)
          else part.setAttribute('role', 'button')
        }
        if (start + BATCH < parts.length) prepare(parts, start + BATCH)
      })
    }
    prepare()
    // 'today' becomes 'yesterday' at midnight.
    const timer = setInterval(prepare, MINUTE)
    return () => {
      cancel()
      clearInterval(timer)
    }
  }, [version])

  const open = useEffectEvent((event: Event) => {
    const link = event.target instanceof Element ? event.target.closest(FORM_LINKS) : null
    if (!link || !write) return
    event.preventDefault()
    // The router handles clicks on links of the whole document.
    event.stopPropagation()
    if (link.matches('.thread-link')) return write({ kind: 'thread', boardId })
    const post = link.closest('article')
    const comment = post && commentOf(post)
    if (!comment) return write({ kind: 'comment', boardId, threadId: threadId || (post ? idOf(post) : 0) })
    const [id, commentId] = [idOf(post), idOf(comment)]
    write({ kind: 'reply', boardId, threadId, commentId, author: authorOf(comment) }, id === commentId ? undefined : id)
  })

  useEffect(() => {
    const controller = new AbortController()
    const options = { capture: true, signal: controller.signal }
    document.addEventListener(
      'click',
      (event) => {
        if (event.target instanceof Element) toggleSpoiler(event.target)
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) open(event)
      },
      options,
    )
    document.addEventListener('keydown', (event) => event.key === ' ' && open(event), options)
    for (const type of ['pointerover', 'focusin'] as const)
      document.addEventListener(
        type,
        ({ target }) => target instanceof Element && target.closest(FORM_LINKS) && preload(),
        options,
      )
    return () => controller.abort()
  }, [])
}

export function showLocalTimes(element: Element): void {
  for (const time of element.querySelectorAll('time')) showLocalTime(time)
}

/** Replaces the server's UTC time by the visitor's. */
function showLocalTime(time: HTMLTimeElement): void {
  const date = new Date(time.dateTime)
  const text = (time.dataset.relative === undefined ? localDateTime : relativeTime)(date, Date.now())
  if (time.textContent !== text) time.textContent = text
  if (!time.title) time.title = `${utcDateTime(date)} UTC`
}

/** Shows a spoiler, which has a part in each paragraph. Only its button hides it again. */
function toggleSpoiler(target: Element): void {
  const spoiler = target.closest<HTMLElement>('.spoiler')
  const text = spoiler?.closest('.text')
  if (!spoiler || !text) return
  const isButton = target.parentElement === spoiler && target.matches('button')
  const reveals = !isButton || spoiler.dataset.revealed === undefined
  for (const part of text.querySelectorAll<HTMLElement>(`[data-spoiler="${spoiler.dataset.spoiler}"]`)) {
    part.toggleAttribute('data-revealed', reveals)
    part.querySelector(':scope > button')?.setAttribute('aria-expanded', String(reveals))
  }
}
