import { imageHeights } from '#src/contract/post.ts'
import { type ThreadView, threadPath } from '#src/contract/thread.ts'
import type { PostActions } from '#src/features/board/controls/postActions.ts'
import postList from '#src/features/board/lists/postList.module.css'
import { ThreadMarks } from '#src/features/board/lists/ThreadMarks.tsx'
import { Backlinks } from '#src/features/board/post/Backlinks.tsx'
import { PostContent } from '#src/features/board/post/PostContent.tsx'
import { CommentButton } from '#src/features/board/writing/CommentButton.tsx'
import { closedText } from '#src/features/board/writing/closedText.ts'
import { cx } from '#src/ui/cx.ts'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import styles from './Comment.module.css'
import { PostGutter } from './PostGutter.tsx'

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
