import { type CommentView, imageHeights, type ReplyView } from '#src/contract/board.ts'
import { threadPath } from '#src/contract/boardPaths.ts'
import { t } from '#src/i18n/t.ts'
import { cx } from '#src/ui/cx.ts'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import { Time } from '#src/ui/Time.tsx'
import { Backlinks } from './Backlinks.tsx'
import styles from './Comment.module.css'
import { PostAuthor } from './PostAuthor.tsx'
import { PostContent } from './PostContent.tsx'
import type { PostActions, PostHighlights } from './postActions.ts'
import postList from './postList.module.css'
import { ReplyButton } from './ReplyButton.tsx'

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
          <header className={styles.replyHead}>
            <PostAuthor post={reply} />
            <Time date={reply.createdAt} className="data" />{' '}
            <span className="data">
              <a className={postList.number} href={`#p${id}`}>
                {t('ui.postNumber', { id })}
              </a>
            </span>{' '}
            <Backlinks quotedBy={reply.quotedBy} threadId={threadId} />
            <span className={styles.replyEnd}>
              {actions.write && (
                <ReplyButton
                  to={{ kind: 'reply', boardId, threadId, commentId: comment.id, author: comment.author }}
                  quote={id}
                  write={actions.write}
                />
              )}
              <ReportLink path={`${threadPath(boardId, threadId)}#p${id}`} className={postList.report} />
              {actions.renderControls?.('reply', reply, comment.id)}
            </span>
          </header>
          <PostContent post={reply} threadId={threadId} imageHeight={imageHeights.reply} />
        </>
      )}
    </article>
  )
}
