import { useEffect, useState } from 'react'
import type { PostStatus } from '#src/contract/post.ts'
import { t } from '#src/i18n/t.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { forgetHeldTexts, forgetOwnPost, type HeldText, type OwnPost, ownPosts } from './ownPosts.ts'
import styles from './UnpublishedPostList.module.css'
import { useOwnStatuses } from './useOwnStatuses.ts'

/** The most posts about which a page asks, the newest first. */
const MAX_MISSING = 20

type UnpublishedPostListProps = {
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
  const isHere = (post: OwnPost) =>
    ![...shownIds, ...hiddenIds].includes(post.id) &&
    // A thread can have moved here from the board of the post.
    (threadId === undefined ? post.id === post.threadId && post.boardId === boardId : post.threadId === threadId)
  const own = ownPosts.useValue().filter(isHere).slice(0, MAX_MISSING)
  const statuses = useOwnStatuses(own.map(({ id }) => id))
  const published = [...statuses].flatMap(([id, { status }]) => (status === 'published' ? id : []))
  // The text of a post that waited too long stays: nobody else has it.
  const expired = own.flatMap(({ id, held }) => (!held && statuses.get(id)?.expired ? id : []))
  useEffect(() => {
    forgetHeldTexts([...shownIds, ...published])
    for (const id of expired) forgetOwnPost(id)
  })
  const unpublished = own.filter(
    ({ id, held }) => (held || statuses.has(id)) && ![...published, ...expired].includes(id),
  )
  const { dialog, askToDelete } = useDeletion()

  /** Hides a post. Keeps its token unless it was removed: its author can still delete it. */
  function forget(id: number) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(elementId(id)))
    setHiddenIds([...hiddenIds, id])
    forgetHeldTexts([id])
    if (statuses.get(id)?.status === 'removed') forgetOwnPost(id)
    requestAnimationFrame(moveFocus)
  }

  const remove = ({ threadId = 0, ...post }: OwnPost) =>
    askToDelete(
      import('#src/features/board/controls/deletions.ts').then(({ deletionOf }) =>
        deletionOf({ ...post, threadId, boardId }, post.token),
      ),
      () => forget(post.id),
    )

  return (
    <>
      {unpublished.length > 0 && (
        <section className={`stack ${styles.list}`} aria-label={t('board.unpublishedPosts')}>
          {unpublished.map((post) => (
            <PostCard
              key={post.id}
              post={post}
              status={statuses.get(post.id)}
              onHide={() => forget(post.id)}
              onDelete={() => void remove(post)}
            />
          ))}
        </section>
      )}
      <p className="visually-hidden" role="status">
        {unpublished
          .filter(({ held }) => !held)
          .map(({ id }) => labelOf(id, describe(undefined, statuses.get(id)).mark))
          .join(' ')}
      </p>
      {dialog}
    </>
  )
}

type PostCardProps = {
  post: OwnPost
  /** undefined until the server has answered */
  status: PostStatus | undefined
  onHide: () => void
  onDelete: () => void
}

function PostCard({ post: { id, held }, status, onHide, onDelete }: PostCardProps) {
  const { mark, hint } = describe(held, status)
  const isDeletable = held && status?.status !== 'removed'
  return (
    <article id={elementId(id)} className={styles.post} aria-label={labelOf(id, mark)}>
      <header className={`cluster ${styles.head}`}>
        <strong className="label">{mark}</strong>
        {held && <Nick name={held.author} />}
        {held && <Time date={held.createdAt} className="data" />}
        <span className="data">{t('ui.postNumber', { id })}</span>
        <Button size="small" variant="text" onClick={isDeletable ? onDelete : onHide}>
          {isDeletable ? t('ui.delete') : t('board.hide')}
        </Button>
      </header>
      {held && held.title !== '' && <h3>{held.title}</h3>}
      {held && (
        <p className="text" dir="auto">
          {held.content}
        </p>
      )}
      <p className="hint">{hint}</p>
    </article>
  )
}

function describe(held: HeldText | undefined, status: PostStatus | undefined) {
  if (status?.status === 'removed') {
    const { reason } = status
    const hint = reason === '' ? t('board.removedHint') : t('board.removedReason', { reason })
    const copy = held ? ` ${t('board.onlyCopy')}` : ''
    return { mark: held ? t('board.notPublished') : t('board.removed'), hint: `${hint}${copy}` }
  }
  return held && held.heldUntil !== null
    ? { mark: t('board.appearsSoon'), hint: t('board.appearsSoonHint') }
    : { mark: t('board.waiting'), hint: t('board.waitingHint') }
}
