import { Clock, CornerDownRight, MessageSquare, Reply } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { boardPath } from '#src/contract/board.ts'
import { imageHeights } from '#src/contract/post.ts'
import { type ListedComment, type ListedThread, threadPath } from '#src/contract/thread.ts'
import type { PostFilter } from '#src/features/board/reading/postFilter.ts'
import { CommentButton } from '#src/features/board/writing/CommentButton.tsx'
import type { WritePost } from '#src/features/board/writing/usePostDialog.tsx'
import { rich, t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { FurtherPictures } from './FurtherPictures.tsx'
import { PostGutter } from './PostGutter.tsx'
import { PostLinks } from './PostLinks.tsx'
import postList from './postList.module.css'
import { previewOf } from './previewOf.ts'
import { SpoilerCover } from './SpoilerCover.tsx'
import styles from './ThreadCard.module.css'
import { ThreadMarks } from './ThreadMarks.tsx'

const LIST_WIDTH = 320

export const cardIcons = {
  reply: Reply,
  latest: CornerDownRight,
  comments: MessageSquare,
  active: Clock,
}

type ThreadCardProps = {
  thread: ListedThread
  /** set in lists with threads of several boards */
  boardName?: string
  /** undefined if the thread takes no comments */
  write: WritePost | undefined
  /** Renders the controls of moderators and authors. */
  renderControls?: (thread: ListedThread) => ReactNode
  /** Renders a stub in the place of a hidden thread. */
  filter?: PostFilter | undefined
}

export const ThreadCard = memo(function ThreadCard({
  thread,
  boardName,
  write,
  renderControls,
  filter,
}: ThreadCardProps) {
  const { id, title, picture, commentCount, newest } = thread
  const href = threadPath(thread.boardId, id)
  const image = picture && (
    <img
      src={picture.url}
      {...fitInside(picture, { width: LIST_WIDTH, height: imageHeights.list })}
      alt={t('ui.attachedTo', { id })}
      loading="lazy"
      decoding="async"
    />
  )

  const stub = filter?.(thread)
  if (stub) {
    return (
      <article className={postList.post}>
        <span />
        <div className={postList.body}>{stub}</div>
      </article>
    )
  }
  return (
    <article
      className={cx(postList.post, styles.card, picture && styles.illustrated)}
      aria-labelledby={`t${id}`}
      data-board={boardName === undefined ? undefined : thread.boardId}
    >
      <PostGutter post={thread} href={`${href}#p${id}`} />
      <div className={cx(postList.body, styles.body)}>
        <div className={styles.text}>
          {boardName !== undefined && (
            <p className={styles.board}>
              <a href={boardPath(thread.boardId)}>/{thread.boardId}/</a> {boardName}
            </p>
          )}
          <ThreadMarks thread={thread} />
          <h2 className={styles.title} id={`t${id}`}>
            <a href={href}>{title}</a>
          </h2>
          <p className={styles.excerpt}>{previewOf(thread)}</p>
          <PostLinks links={thread.links} />
          {thread.earlier?.map((comment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: comments of a list have no ids
            <LatestComment key={index} comment={comment} />
          ))}
          {newest && <LatestComment comment={newest} />}
        </div>
        {image && (
          <div className={styles.image}>
            {thread.furtherPictures && <FurtherPictures count={thread.furtherPictures} />}
            {thread.spoiler ? <SpoilerCover name={t('ui.postNumber', { id })}>{image}</SpoilerCover> : image}
          </div>
        )}
        <footer className={cx(postList.foot, styles.foot)}>
          <span className={styles.stat}>
            <SpriteIcon name="comments" />
            <span>{rich('board.commentCount', { count: commentCount, b: (text) => <strong>{text}</strong> })}</span>
          </span>{' '}
          <span className={styles.stat}>
            <SpriteIcon name="active" />
            <span>
              {rich('board.activeAt', {
                time: () => (
                  <strong>
                    <RelativeTime date={thread.lastActivity} />
                  </strong>
                ),
              })}
            </span>
          </span>{' '}
          <span className={styles.actions}>
            {renderControls?.(thread)}
            <ButtonLink size="small" href={href} aria-describedby={`t${id}`}>
              {t('board.viewThread')}
            </ButtonLink>
            {write && (
              <CommentButton
                boardId={thread.boardId}
                threadId={id}
                write={write}
                title={t('board.commentOn', { id })}
              />
            )}
          </span>
        </footer>
      </div>
    </article>
  )
})

function LatestComment({ comment }: { comment: ListedComment }) {
  return (
    <div className={styles.latest}>
      <SpriteIcon name="latest" />
      <span className={styles.name}>
        {rich('board.latestCommentBy', {
          name: comment.author,
          hidden: (text) => <span className="visually-hidden">{text}</span>,
          nick: () => <Nick name={comment.author} />,
        })}
      </span>
      <p>{comment.preview}</p>
      <span className="data">
        <RelativeTime date={comment.createdAt} />
      </span>
    </div>
  )
}
