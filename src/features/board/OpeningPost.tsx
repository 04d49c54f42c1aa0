import { imageHeights } from '#src/contract/post.ts'
import { type ThreadView, threadPath } from '#src/contract/thread.ts'
import { cx } from '#src/ui/cx.ts'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import { Backlinks } from './Backlinks.tsx'
import styles from './Comment.module.css'
import { CommentButton } from './CommentButton.tsx'
import { closedText } from './closedText.ts'
import { PostContent } from './PostContent.tsx'
import { PostGutter } from './PostGutter.tsx'
import type { PostActions } from './postActions.ts'
import postList from './postList.module.css'
import { ThreadMarks } from './ThreadMarks.tsx'

type OpeningPostProps = { thread: ThreadView; actions: PostActions; isLinked: boolean }

export function OpeningPost({ thread, actions, isLinked }: OpeningPostProps) {
  const { id } = thread
  const closed = closedText(thread)
  return (
    <div className={postList.list}>
      <article
        className={cx(postList.post, styles.post, styles.opening)}
        id={`p${id}`}
        data-marked={isLinked || undefined}
      >
        <PostGutter post={thread} href={`#p${id}`} />
        <div className={postList.body}>
          <ThreadMarks thread={thread} />
          <h1 className={styles.title}>{thread.title}</h1>
          <PostContent post={thread} threadId={id} imageHeight={imageHeights.thread} eager />
          <footer className={cx(postList.foot, styles.openingFoot)}>
            {closed && !actions.write && <p className="hint">{closed}</p>}
            {actions.write && (
              <CommentButton variant="primary" boardId={thread.boardId} threadId={id} write={actions.write} />
            )}
            <Backlinks quotedBy={thread.quotedBy} threadId={id} />
            <ReportLink path={threadPath(thread.boardId, id)} className={postList.report} />
            {actions.renderControls && <span className={postList.end}>{actions.renderControls('thread', thread)}</span>}
          </footer>
        </div>
      </article>
    </div>
  )
}
