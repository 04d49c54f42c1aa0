import { boardPath } from '#src/contract/board.ts'
import { imageHeights, type PostView, type QuotedPost as Quoted } from '#src/contract/post.ts'
import { type ThreadView, threadPath } from '#src/contract/thread.ts'
import { Backlinks } from '#src/features/board/post/Backlinks.tsx'
import { PostAuthor } from '#src/features/board/post/PostAuthor.tsx'
import { PostContent } from '#src/features/board/post/PostContent.tsx'
import { t } from '#src/i18n/t.ts'
import { useQuery } from '#src/lib/reactQuery.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { Time } from '#src/ui/Time.tsx'
import styles from './Previews.module.css'

/** Posts of other threads are asked for again after this time, because no event tells that they changed. */
const MAX_AGE_MS = 60_000

/** Shows a post of the open thread from its data, and other posts from the server. */
export function QuotedPost({ id, thread }: { id: number; thread: ThreadView | null }) {
  const known = thread && findPost(thread, id)
  const { data, isError } = useQuery<Quoted | null>({
    queryKey: ['post', id],
    queryFn: () => fetchPost(id),
    staleTime: MAX_AGE_MS,
    enabled: !known,
  })
  const post = known ?? data
  if (!post) {
    const text = isError ? t('board.loadPost') : data === null ? t('board.postGone') : t('ui.loading')
    return <p className={styles.message}>{text}</p>
  }
  const threadId = thread?.id
  return (
    <div className={styles.post}>
      <p className={styles.head}>
        <PostAuthor post={post} />
        <Time date={post.createdAt} className="data" />
        <PostPlace post={post} threadId={threadId} />
      </p>
      <PostContent post={post} threadId={threadId} imageHeight={imageHeights.list} eager />
      {post.quotedBy.length > 0 && (
        <footer className={styles.foot}>
          <Backlinks quotedBy={post.quotedBy} threadId={threadId} />
        </footer>
      )}
    </div>
  )
}

/** Links to the post, and names its thread if another one is open. */
function PostPlace({ post, threadId }: { post: PostView | Quoted; threadId: number | undefined }) {
  const number = t('ui.postNumber', { id: post.id })
  const isHere = !('threadId' in post) || post.threadId === threadId
  return isHere ? (
    <a className="data" href={`#p${post.id}`}>
      {number}
    </a>
  ) : (
    <>
      <a className="data" href={post.path}>
        {number}
      </a>
      <span className={styles.thread}>
        <a href={boardPath(post.boardId)}>{`/${post.boardId}/`}</a>{' '}
        <a href={threadPath(post.boardId, post.threadId)} dir="auto">
          {post.threadTitle}
        </a>
      </span>
    </>
  )
}

function findPost(thread: ThreadView, id: number): PostView | undefined {
  if (thread.id === id) return thread
  return thread.comments.flatMap((comment) => [comment, ...comment.replies]).find((post) => post.id === id)
}

/** Returns null if the post was removed. */
async function fetchPost(id: number): Promise<Quoted | null> {
  try {
    return await (await trpc()).board.post.query({ postId: String(id) })
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') return null
    throw error
  }
}
