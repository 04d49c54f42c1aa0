import { useEffect, useState } from 'react'
import type { PostStatus } from '#src/contract/post.ts'
import { t } from '#src/i18n/t.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import {
  findToken,
  forgetOwnPost,
  type HeldPost,
  heldPosts,
  type OwnPost,
  ownPosts,
  removeHeldPosts,
} from './ownPosts.ts'
import styles from './UnpublishedPostList.module.css'
import { useOwnStatuses } from './useOwnStatuses.ts'

/** The most posts about which a page asks, the newest first. */
const MAX_MISSING = 20

export type UnpublishedPostListProps = {
  boardId: string
  /** undefined on a board page, which lists new threads */
  threadId?: number
  /** returns the posts on this page: a held post among them was published */
  listShownIds: () => number[]
}

const elementId = (id: number) => `held-${id}`
const labelOf = (id: number, mark: string) => t('board.heldPost', { id, mark })

/** Lists the visitor's posts that were held when they were sent, and published ones that were removed or held later. */
export function UnpublishedPostList({ boardId, threadId, listShownIds }: UnpublishedPostListProps) {
  const [hiddenIds, setHiddenIds] = useState<readonly number[]>([])
  const shownIds = listShownIds()
  const isHere = (post: OwnPost | HeldPost) =>
    ![...shownIds, ...hiddenIds].includes(post.id) &&
    // A thread can have moved here from the board of the post.
    (threadId === undefined ? post.id === post.threadId && post.boardId === boardId : post.threadId === threadId)
  const held = heldPosts.useValue().filter(isHere)
  const missing = ownPosts
    .useValue()
    .filter((post) => isHere(post) && held.every(({ id }) => id !== post.id))
    .slice(0, MAX_MISSING)
  const statuses = useOwnStatuses([...held, ...missing].map(({ id }) => id))
  const published = [...statuses].flatMap(([id, { status }]) => (status === 'published' ? id : []))
  const expired = missing.flatMap(({ id }) => (statuses.get(id)?.expired ? id : []))
  useEffect(() => {
    removeHeldPosts([...shownIds, ...published])
    for (const id of expired) forgetOwnPost(id)
  })
  const unpublished = missing.filter(({ id }) => statuses.has(id) && ![...published, ...expired].includes(id))
  const { dialog, askToDelete } = useDeletion()

  /** Hides a post. Keeps its token unless it was removed: its author can still delete it. */
  function forget(id: number) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(elementId(id)))
    setHiddenIds([...hiddenIds, id])
    removeHeldPosts([id])
    if (statuses.get(id)?.status === 'removed') forgetOwnPost(id)
    requestAnimationFrame(moveFocus)
  }

  const remove = (post: HeldPost, token: string) =>
    askToDelete(
      import('#src/features/board/controls/deletions.ts').then(({ deletionOf }) =>
        deletionOf(toControlledPost(post), token),
      ),
      () => forget(post.id),
    )

  return (
    <>
      {held.length + unpublished.length > 0 && (
        <section className={`stack ${styles.list}`} aria-label={t('board.unpublishedPosts')}>
          {unpublished.map(({ id }) => (
            <PostCard key={id} id={id} status={statuses.get(id)} onHide={() => forget(id)} />
          ))}
          {held.map((post) => (
            <PostCard
              key={post.id}
              id={post.id}
              post={post}
              status={statuses.get(post.id)}
              onHide={() => forget(post.id)}
              onDelete={(token) => void remove(post, token)}
            />
          ))}
        </section>
      )}
      <p className="visually-hidden" role="status">
        {unpublished.map(({ id }) => labelOf(id, describe(undefined, statuses.get(id)).mark)).join(' ')}
      </p>
      {dialog}
    </>
  )
}

type PostCardProps = {
  id: number
  /** this browser's copy of a post that was held when it was sent */
  post?: HeldPost
  /** undefined until the server has answered */
  status: PostStatus | undefined
  onHide: () => void
  onDelete?: (token: string) => void
}

function PostCard({ id, post, status, onHide, onDelete }: PostCardProps) {
  const { mark, hint } = describe(post, status)
  const token = status?.status === 'removed' ? undefined : findToken(id)
  const isDeletable = token !== undefined && onDelete !== undefined
  return (
    <article id={elementId(id)} className={styles.post} aria-label={labelOf(id, mark)}>
      <header className={`cluster ${styles.head}`}>
        <strong className="label">{mark}</strong>
        {post && <Nick name={post.author} />}
        {post && <Time date={post.createdAt} className="data" />}
        <span className="data">{t('ui.postNumber', { id })}</span>
        <Button size="small" variant="text" onClick={isDeletable ? () => onDelete(token) : onHide}>
          {isDeletable ? t('ui.delete') : t('board.hide')}
        </Button>
      </header>
      {post && post.title !== '' && <h3>{post.title}</h3>}
      {post && (
        <p className="text" dir="auto">
          {post.content}
        </p>
      )}
      <p className="hint">{hint}</p>
    </article>
  )
}

function describe(post: HeldPost | undefined, status: PostStatus | undefined) {
  if (status?.status === 'removed') {
    const { reason } = status
    const hint = reason === '' ? t('board.removedHint') : t('board.removedReason', { reason })
    const copy = post ? ` ${t('board.onlyCopy')}` : ''
    return { mark: post ? t('board.notPublished') : t('board.removed'), hint: `${hint}${copy}` }
  }
  return post && post.heldUntil !== null
    ? { mark: t('board.appearsSoon'), hint: t('board.appearsSoonHint') }
    : { mark: t('board.waiting'), hint: t('board.waitingHint') }
}

const toControlledPost = ({ id, boardId, threadId, commentId }: HeldPost) => ({
  kind: id === threadId ? ('thread' as const) : commentId === undefined ? ('comment' as const) : ('reply' as const),
  boardId,
  threadId,
  commentId,
  id,
})
