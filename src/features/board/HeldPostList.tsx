import { useEffect } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './HeldPostList.module.css'
import { type HeldPost, heldPosts, removeHeldPosts } from './heldPosts.ts'
import { PostText } from './PostText.tsx'

export type HeldPostListProps = {
  boardId: string
  /** undefined on a board page, which lists new threads */
  threadId?: number
  /** returns the posts on this page: a held post among them was published */
  listShownIds: () => number[]
}

export function HeldPostList({ boardId, threadId, listShownIds }: HeldPostListProps) {
  const posts = heldPosts.useValue()
  const shownIds = listShownIds()
  useEffect(() => removeHeldPosts(shownIds))
  const isHere = (post: HeldPost) =>
    post.boardId === boardId && (threadId === undefined ? post.id === post.threadId : post.threadId === threadId)
  const shown = posts.filter((post) => isHere(post) && !shownIds.includes(post.id))
  if (shown.length === 0) return null
  return (
    <section className={styles.list} aria-label="Your posts that wait for a review">
      {shown.map((post) => (
        <article key={post.id} className={styles.post} aria-label={`Your post No. ${post.id}, waiting for review`}>
          <header className={styles.head}>
            <strong className={styles.mark}>{post.heldUntil === null ? 'Waiting for review' : 'Appears soon'}</strong>
            <Nick name={post.author} />
            <Time date={post.createdAt} className="data" />
            <span className="data">{`No. ${post.id}`}</span>
            <Button size="small" variant="text" onClick={() => removeHeldPosts([post.id])}>
              Hide
            </Button>
          </header>
          {post.title !== '' && <h3 className={styles.title}>{post.title}</h3>}
          <PostText text={post.content} quotes={[]} currentThreadId={post.threadId} />
          <p className="hint">
            {post.heldUntil === null
              ? 'Only you and the moderators see it until a moderator publishes it.'
              : 'It is published by itself in about a minute.'}
          </p>
        </article>
      ))}
    </section>
  )
}
