import type { ComponentProps } from 'react'
import { type ThreadHead, threadPath } from '#src/contract/thread.ts'
import postList from '#src/features/board/lists/postList.module.css'
import { ServerHtml } from '#src/features/board/post/ServerHtml.tsx'
import { CommentButton, closedText } from '#src/features/board/writing/PostFormLink.tsx'
import { cx } from '#src/ui/cx.ts'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import styles from './ThreadScreen.module.css'

type OpeningPostProps = Pick<ComponentProps<typeof ServerHtml>, 'html' | 'onLost'> & {
  thread: ThreadHead
  takesPosts: boolean
  /** The button of the open form is the one in colour. */
  isWriting: boolean
}

export function OpeningPost({ thread, takesPosts, isWriting, ...served }: OpeningPostProps) {
  const { id, boardId } = thread
  const closed = closedText(thread)
  return (
    <div className={postList.list}>
      <article className={cx(postList.post, 'post', styles.opening)} id={`p${id}`}>
        <ServerHtml className={styles.parts} data-opening="" {...served} />
        <footer className="cluster">
          {closed && !takesPosts && <p className="hint">{closed}</p>}
          {takesPosts && <CommentButton variant={isWriting ? undefined : 'primary'} boardId={boardId} threadId={id} />}
          {/* PostControls.tsx adds its buttons to this element. */}
          <span className="actions" data-controls="">
            <ReportLink path={threadPath(boardId, id)} />
          </span>
        </footer>
      </article>
    </div>
  )
}
