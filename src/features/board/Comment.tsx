import { memo } from 'react'
import { type CommentView, imageHeights } from '#src/contract/board.ts'
import { threadPath } from '#src/contract/boardPaths.ts'
import { t } from '#src/i18n/t.ts'
import { cx } from '#src/ui/cx.ts'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import { Backlinks } from './Backlinks.tsx'
import styles from './Comment.module.css'
import { estimateCommentHeight } from './commentHeight.ts'
import { PostContent } from './PostContent.tsx'
import { PostGutter } from './PostGutter.tsx'
import type { PostActions, PostHighlights } from './postActions.ts'
import postList from './postList.module.css'
import { Reply } from './Reply.tsx'
import { ReplyButton } from './ReplyButton.tsx'

type CommentProps = PostHighlights & { comment: CommentView; boardId: string; threadId: number; actions: PostActions }

/** MemoizedList reuses a comment's HTML while its key is the same: add every shown field to commentKey.ts. */
export const Comment = memo(function Comment({ comment, boardId, threadId, actions, linkedId, newIds }: CommentProps) {
  const { id, replies } = comment
  const stub = actions.filter?.(comment)
  return (
    <article
      data-height={estimateCommentHeight(comment)}
      className={cx(postList.post, styles.post, styles.comment)}
      id={`p${id}`}
      data-marked={linkedId === id || undefined}
      data-fresh={newIds.has(id) || undefined}
      aria-label={
        comment.deleted ? t('board.deletedPost', { id }) : t('board.commentLabel', { id, author: comment.author })
      }
    >
      {stub ? <span /> : <PostGutter post={comment} href={`#p${id}`} />}
      <div className={postList.body}>
        {stub || (
          <>
            <PostContent post={comment} threadId={threadId} imageHeight={imageHeights.comment} />
            <footer className={postList.foot}>
              {actions.write && (
                <ReplyButton
                  to={{ kind: 'reply', boardId, threadId, commentId: id, author: comment.author }}
                  write={actions.write}
                />
              )}
              <Backlinks quotedBy={comment.quotedBy} threadId={threadId} />
              <ReportLink path={`${threadPath(boardId, threadId)}#p${id}`} className={postList.report} />
              {actions.renderControls && (
                <span className={postList.end}>{actions.renderControls('comment', comment)}</span>
              )}
            </footer>
          </>
        )}
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
