import { useEffect, useState } from 'react'
import { boardPath } from '#src/contract/board.ts'
import type { ShownPost } from '#src/contract/events.ts'
import { threadPath } from '#src/contract/thread.ts'
import { authorOf, bodyOf, findPost, headOf, parseHtml, postTextOf } from '#src/features/board/post/postElements.ts'
import { showLocalTimes } from '#src/features/board/post/usePreparedPosts.ts'
import { t } from '#src/i18n/t.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { createPostFilter } from './HiddenPosts.tsx'
import { openedPosts, readerFilters } from './readerFilterStore.ts'
import styles from './reading.module.css'

/** Posts of other threads are asked for again after this time, because no event tells that they changed. */
const MAX_AGE_MS = 60_000

type Quoted = {
  html: string
  author: string
  text: string
  place?: Pick<ShownPost, 'boardId' | 'threadId' | 'title'>
}
type QuotedPostProps = { id: number; boardId: string | undefined; threadId: number | undefined }

/** Shows a post of the open thread from the page, and other posts from the server. */
export function QuotedPost({ id, boardId, threadId }: QuotedPostProps) {
  const [quoted, setQuoted] = useState<Quoted | string>(() => copyPost(findPost(id)) ?? t('ui.loading'))
  useEffect(() => {
    if (copyPost(findPost(id))) return
    let isCurrent = true
    readPost(id, threadId).then(
      (post) => isCurrent && setQuoted(post ?? t('board.postGone')),
      () => isCurrent && setQuoted(t('board.loadPost')),
    )
    return () => {
      isCurrent = false
    }
  }, [id, threadId])

  // Hides the post at once when the reader hides it, and shows it when the reader opens it.
  readerFilters.useValue()
  openedPosts.useValue()
  if (typeof quoted === 'string') return <p className={styles.message}>{quoted}</p>
  const { html, place, author, text } = quoted
  const stub = createPostFilter(place?.boardId ?? boardId)({ id, author, title: place?.title, text })
  if (stub) return <div className={styles.post}>{stub}</div>
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: server/features/board/html escapes all texts */}
      <div className={`post ${styles.post}`} dangerouslySetInnerHTML={{ __html: html }} />
      {place && place.threadId !== threadId && (
        <p className={styles.thread}>
          <a href={boardPath(place.boardId)}>{`/${place.boardId}/`}</a>{' '}
          <a href={threadPath(place.boardId, place.threadId)} dir="auto">
            {place.title}
          </a>
        </p>
      )}
    </>
  )
}

/** Copies the author and the text of a post, without what this page added. Times are local. */
function copyPost(post: Element | DocumentFragment | null): Quoted | null {
  const parts = post && [headOf(post), bodyOf(post)]
  if (!parts) return null
  const copies = parts.flatMap((part) => (part ? (part.cloneNode(true) as Element) : []))
  for (const copy of copies) {
    const added = '.actions, h1, .marks, [role=group], figcaption :is(button, [role])'
    for (const element of copy.querySelectorAll(added)) element.remove()
    for (const link of copy.querySelectorAll('a')) {
      link.removeAttribute('aria-describedby')
      link.removeAttribute('aria-expanded')
    }
    showLocalTimes(copy)
    for (const image of copy.querySelectorAll('img')) image.loading = 'eager'
    copy.classList.remove('gutter')
  }
  return { html: copies.map((copy) => copy.outerHTML).join(''), author: authorOf(post), text: postTextOf(post) }
}

const known = new Map<string, { at: number; post: Promise<Quoted | null> }>()

function readPost(id: number, threadId: number | undefined): Promise<Quoted | null> {
  const key = `${id} ${threadId}`
  const last = known.get(key)
  if (last && Date.now() - last.at < MAX_AGE_MS) return last.post
  const post = fetchPost(id, threadId)
  known.set(key, { at: Date.now(), post })
  post.catch(() => known.delete(key))
  return post
}

/** Returns null if the post was removed. */
async function fetchPost(id: number, threadId: number | undefined): Promise<Quoted | null> {
  try {
    const post = await (await trpc()).board.shownPost.query({ postId: String(id), pageId: threadId ?? 0 })
    if (!post) return null
    const copied = copyPost(parseHtml(post.html))
    return copied && { ...copied, place: post }
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') return null
    throw error
  }
}
