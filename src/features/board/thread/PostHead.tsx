import type { ReactNode } from 'react'
import type { PostView } from '#src/contract/post.ts'
import { threadPath } from '#src/contract/thread.ts'
import type { PostActions } from '#src/features/board/controls/postActions.ts'
import postList from '#src/features/board/lists/postList.module.css'
import { Backlinks } from '#src/features/board/post/Backlinks.tsx'
import { PostAuthor } from '#src/features/board/post/PostAuthor.tsx'
import { ReplyButton } from '#src/features/board/writing/ReplyButton.tsx'
import { t } from '#src/i18n/t.ts'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './PostHead.module.css'

type PostHeadProps = {
  post: PostView
  boardId: string
  threadId: number
  /** the comment that a reply to this post is added to */
  comment: Pick<PostView, 'id' | 'author'>
  actions: PostActions
  /** the menu of moderators, or the button of the author */
  children: ReactNode
}

/** Author, time, number, quotes and actions of a comment or reply. Add every shown field to commentKey.ts. */
export function PostHead({ post, boardId, threadId, comment, actions, children }: PostHeadProps) {
  const { id } = post
  return (
    <header className={styles.head}>
      <span className={styles.author}>
        <PostAuthor post={post} />
      </span>{' '}
      <Time date={post.createdAt} className="data" />{' '}
      <span className="data">
        <a className={postList.number} href={`#p${id}`}>
          {t('ui.postNumber', { id })}
        </a>
      </span>{' '}
      <Backlinks quotedBy={post.quotedBy} threadId={threadId} />
      <span className={styles.actions}>
        {actions.write && (
          <ReplyButton
            to={{ kind: 'reply', boardId, threadId, commentId: comment.id, author: comment.author }}
            quote={id === comment.id ? undefined : id}
            write={actions.write}
          />
        )}
        <ReportLink path={`${threadPath(boardId, threadId)}#p${id}`} className={styles.report} />
        {children}
      </span>
    </header>
  )
}
