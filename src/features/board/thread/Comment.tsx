import { memo } from 'react'
import { type CommentView, imageHeights } from '#src/contract/post.ts'
import type { PostActions, PostHighlights } from '#src/features/board/controls/postActions.ts'
import postList from '#src/features/board/lists/postList.module.css'
import { PostContent } from '#src/features/board/post/PostContent.tsx'
import { t } from '#src/i18n/t.ts'
import { cx } from '#src/ui/cx.ts'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import styles from './Comment.module.css'
import { countLines } from './commentSize.ts'
import { PostHead } from './PostHead.tsx'
import { Reply } from './Reply.tsx'

type CommentProps = PostHighlights & { comment: CommentView; boardId: string; threadId: number; actions: PostActions }

/** MemoizedList reuses a comment's HTML while its key is the same: add every shown field to commentKey.ts. */
export const Comment = memo(function Comment({ comment, boardId, threadId, actions, linkedId, newIds }: CommentProps) {
  const { id, replies } = comment
  const stub = actions.filter?.(comment)
  return (
    <article
      {...(import.meta.env.SSR && { 'data-lines': countLines(comment) })}
      className={cx(postList.post, styles.post, styles.comment)}
      id={`p${id}`}
      data-marked={linkedId === id || undefined}
      data-fresh={newIds.has(id) || undefined}
      aria-label={
        comment.deleted ? t('board.deletedPost', { id }) : t('board.commentLabel', { id, author: comment.author })
      }
    >
      {!stub && (
        <PostHead post={comment} boardId={boardId} threadId={threadId} comment={comment} actions={actions}>
          {actions.renderControls?.('comment', comment)}
        </PostHead>
      )}
      <div>
        {stub || <PostContent post={comment} threadId={threadId} imageHeight={imageHeights.comment} />}
        {replies.length > 0 && (
          <details className={cx('accordion', styles.replies)} open>
            <summary className={styles.summary}>
              <SpriteIcon name="fold" />
              {t('board.repliesHeading', { count: replies.length })}
            </summary>
            {replies.map((reply) => (
              <Reply
                key={reply.id}
                reply={reply}
                comment={comment}
                boardId={boardId}
                threadId={threadId}
                actions={actions}
                linkedId={linkedId}
                newIds={newIds}
              />
            ))}
          </details>
        )}
      </div>
    </article>
  )
})
