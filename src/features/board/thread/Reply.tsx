import { type CommentView, imageHeights, type ReplyView } from '#src/contract/post.ts'
import type { PostActions, PostHighlights } from '#src/features/board/controls/postActions.ts'
import { PostContent } from '#src/features/board/post/PostContent.tsx'
import { t } from '#src/i18n/t.ts'
import { cx } from '#src/ui/cx.ts'
import styles from './Comment.module.css'
import { PostHead } from './PostHead.tsx'

type ReplyProps = PostHighlights & {
  reply: ReplyView
  comment: CommentView
  boardId: string
  threadId: number
  actions: PostActions
}

/** Shows a reply. Add every shown field to commentKey.ts: MemoizedList reuses HTML while its key is the same. */
export function Reply({ reply, comment, boardId, threadId, actions, linkedId, newIds }: ReplyProps) {
  const { id } = reply
  const stub = actions.filter?.(reply)
  return (
    <article
      className={cx(styles.post, styles.reply)}
      id={`p${id}`}
      data-marked={linkedId === id || undefined}
      data-fresh={newIds.has(id) || undefined}
      aria-label={t('board.replyLabel', { id, author: reply.author })}
    >
      {stub || (
        <>
          <PostHead post={reply} boardId={boardId} threadId={threadId} comment={comment} actions={actions}>
            {actions.renderControls?.('reply', reply, comment.id)}
          </PostHead>
          <PostContent post={reply} threadId={threadId} imageHeight={imageHeights.reply} />
        </>
      )}
    </article>
  )
}
