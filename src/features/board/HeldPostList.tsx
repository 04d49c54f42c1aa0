import { useEffect } from 'react'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { prepareNeighbourFocus } from '#src/ui/focus.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import styles from './HeldPostList.module.css'
import { type HeldPost, heldPosts, removeHeldPosts } from './heldPosts.ts'
import { findToken } from './ownPosts.ts'
import { PostText } from './PostText.tsx'
import { useRemovedPosts } from './useRemovedPosts.ts'

export type HeldPostListProps = {
  boardId: string
  /** undefined on a board page, which lists new threads */
  threadId?: number
  /** returns the posts on this page: a held post among them was published */
  listShownIds: () => number[]
}

const elementId = (id: number) => `held-${id}`

export function HeldPostList({ boardId, threadId, listShownIds }: HeldPostListProps) {
  const posts = heldPosts.useValue()
  const shownIds = listShownIds()
  useEffect(() => removeHeldPosts(shownIds))
  const isHere = (post: HeldPost) =>
    post.boardId === boardId && (threadId === undefined ? post.id === post.threadId : post.threadId === threadId)
  const shown = posts.filter((post) => isHere(post) && !shownIds.includes(post.id))
  const removed = useRemovedPosts(shown)
  const { dialog, askToDelete } = useDeletion()

  function forget({ id }: HeldPost) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(elementId(id)))
    removeHeldPosts([id])
    requestAnimationFrame(moveFocus)
  }

  const remove = (post: HeldPost, token: string) =>
    askToDelete(
      async () => (await import('./deletions.ts')).deletionOf(toControlledPost(post), token),
      () => forget(post),
    )

  return (
    <>
      {shown.length > 0 && (
        <section className={styles.list} aria-label={t('board.heldPosts')}>
          {shown.map((post) => (
            <HeldPostCard
              key={post.id}
              post={post}
              reason={removed.get(post.id)}
              onHide={() => forget(post)}
              onDelete={(token) => void remove(post, token)}
            />
          ))}
        </section>
      )}
      {dialog}
    </>
  )
}

type HeldPostCardProps = {
  post: HeldPost
  /** why the post was removed; undefined while it waits */
  reason: string | undefined
  onHide: () => void
  onDelete: (token: string) => void
}

function HeldPostCard({ post, reason, onHide, onDelete }: HeldPostCardProps) {
  const { mark, hint } = describe(post, reason)
  const token = reason === undefined ? findToken(post.id) : undefined
  return (
    <article id={elementId(post.id)} className={styles.post} aria-label={t('board.heldPost', { id: post.id, mark })}>
      <header className={styles.head}>
        <strong className={styles.mark}>{mark}</strong>
        <Nick name={post.author} />
        <Time date={post.createdAt} className="data" />
        <span className="data">{t('ui.postNumber', { id: post.id })}</span>
        <Button size="small" variant="text" onClick={token === undefined ? onHide : () => onDelete(token)}>
          {token === undefined ? t('board.hide') : t('ui.delete')}
        </Button>
      </header>
      {post.title !== '' && <h3 className={styles.title}>{post.title}</h3>}
      <PostText text={post.content} quotes={[]} currentThreadId={post.threadId} />
      <p className="hint">{hint}</p>
    </article>
  )
}

function describe({ heldUntil }: HeldPost, reason: string | undefined) {
  if (reason !== undefined) {
    const hint = reason === '' ? t('board.notPublishedHint') : t('board.notPublishedReason', { reason })
    return { mark: t('board.notPublished'), hint }
  }
  return heldUntil === null
    ? { mark: t('board.waiting'), hint: t('board.waitingHint') }
    : { mark: t('board.appearsSoon'), hint: t('board.appearsSoonHint') }
}

const toControlledPost = ({ id, boardId, threadId, commentId }: HeldPost) => ({
  kind: id === threadId ? ('thread' as const) : commentId === undefined ? ('comment' as const) : ('reply' as const),
  boardId,
  threadId,
  commentId,
  id,
})
