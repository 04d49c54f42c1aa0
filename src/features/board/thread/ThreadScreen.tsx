import { ChevronDown, Link2, Reply } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { navigate } from 'vike/client/router'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardPath, canModerate } from '#src/contract/board.ts'
import { feedPath } from '#src/contract/feeds.ts'
import { type ThreadPage, threadPath } from '#src/contract/thread.ts'
import type { ControlledPost, PostActions } from '#src/features/board/controls/postActions.ts'
import { usePostControls } from '#src/features/board/controls/usePostControls.ts'
import { DensitySwitch } from '#src/features/board/lists/DensitySwitch.tsx'
import postList from '#src/features/board/lists/postList.module.css'
import { ReadingTools } from '#src/features/board/reading/ReadingTools.tsx'
import { usePostFilter } from '#src/features/board/reading/usePostFilter.ts'
import { CommentButton } from '#src/features/board/writing/CommentButton.tsx'
import { OwnUnpublishedPosts } from '#src/features/board/writing/OwnUnpublishedPosts.tsx'
import { usePostDialog } from '#src/features/board/writing/usePostDialog.tsx'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Breadcrumbs } from '#src/ui/Breadcrumbs.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { MemoizedList } from '#src/ui/MemoizedList.tsx'
import { SvgSprite } from '#src/ui/SvgSprite.tsx'
import { useBoardsCrumb } from '#src/ui/useBoardsCrumb.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import commentStyles from './Comment.module.css'
import { Comment } from './Comment.tsx'
import { commentKey } from './commentKey.ts'
import { OpeningPost } from './OpeningPost.tsx'
import { postIds } from './postIds.ts'
import { ThreadAside } from './ThreadAside.tsx'
import styles from './ThreadScreen.module.css'
import { useLinkedPostId } from './useLinkedPostId.ts'
import { useNewPosts } from './useNewPosts.ts'
import { useOldFragment } from './useOldFragment.ts'
import { useThread } from './useThread.ts'

const importNotice = async () => (await import('./NewPostsNotice.tsx')).NewPostsNotice

const postIcons = { reply: Reply, fold: ChevronDown, link: Link2 }

export function ThreadScreen({ initial, user }: { initial: ThreadPage; user: AuthUser | null }) {
  const boardsCrumb = useBoardsCrumb()
  const { board, thread, isDeleted, add, remove } = useThread(initial)
  const { newIds, belowIds, announcement, markOwn } = useNewPosts(thread)
  const NewPostsNotice = useLazyComponent(importNotice, belowIds.length > 0)
  const linkedId = useLinkedPostId()
  useOldFragment(initial.thread.id)
  const heading = useRef<HTMLHeadingElement>(null)
  const [ownPostId, setOwnPostId] = useState<number | null>(null)
  const { dialog, write } = usePostDialog(
    (post, location) => {
      markOwn(post.id)
      add(post, location.kind === 'reply' ? location.commentId : null)
      setOwnPostId(post.id)
    },
    { board, user },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the thread contains the post
  useEffect(() => {
    const element = ownPostId === null ? null : document.getElementById(`p${ownPostId}`)
    if (!element) return
    element.scrollIntoView({ block: 'nearest' })
    focusOn(element)
    setOwnPostId(null)
  }, [ownPostId, thread])
  const boardId = board.id
  const threadId = thread.id
  const moderates = canModerate(user, board)
  const takesPosts = !thread.archived && (moderates || !thread.locked)
  const controls = usePostControls(moderates)

  // Moves the focus to the comments heading, because the focused post disappears.
  const onDeleted = useCallback(
    ({ kind, id }: ControlledPost) => {
      if (kind === 'thread') return void navigate(boardPath(boardId))
      remove(id)
      heading.current?.focus({ preventScroll: true })
    },
    [remove, boardId],
  )

  const filter = usePostFilter(boardId)

  const actions = useMemo<PostActions>(() => {
    if (isDeleted) return { filter }
    return {
      filter,
      ...(takesPosts && { write }),
      ...(controls && {
        renderControls: (kind, state, commentId) => (
          <controls.PostControls
            post={{ kind, id: state.id, commentId, state, boardId, threadId }}
            moderates={moderates}
            onDeleted={onDeleted}
          />
        ),
      }),
    }
  }, [isDeleted, moderates, takesPosts, boardId, threadId, write, controls, onDeleted, filter])

  return (
    <div className="wrap">
      <SvgSprite icons={postIcons} />
      <div className={styles.top}>
        <Breadcrumbs
          trail={[boardsCrumb, { label: `/${boardId}/`, href: boardPath(boardId) }, { label: t('board.thread') }]}
        />
        <div className={styles.tools}>
          {/* WatchButton.tsx renders into this element. */}
          <span id="watch" />
          <ButtonLink variant="text" href={`#p${Math.max(...postIds(thread))}`}>
            {t('board.newest')}
          </ButtonLink>
          <FeedLink href={feedPath(threadPath(boardId, threadId), 'atom')} />
        </div>
      </div>
      {isDeleted && (
        <div className={postList.notice}>
          <Alert>{t('board.threadGone')}</Alert>
        </div>
      )}
      <div className={styles.grid}>
        <div>
          <OpeningPost thread={thread} actions={actions} isLinked={linkedId === threadId} />
          <div className={styles.comments}>
            <h2 className={styles.heading} ref={heading} tabIndex={-1}>
              {t('board.commentsHeading', { count: thread.commentCount })}
            </h2>
            <DensitySwitch />
          </div>
          {initial.omitted && <p className={styles.note}>{t('board.omitted', { count: initial.omitted })}</p>}
          {thread.comments.length === 0 ? (
            <div className={styles.empty}>
              <EmptyState>{t('board.noComments')}</EmptyState>
            </div>
          ) : (
            <MemoizedList
              name="comment"
              keyOf={(comment) => commentKey(thread, comment)}
              // Only the server measures comments. Without sizes, the list is laid out as a whole.
              className={import.meta.env.SSR ? `${postList.list} ${commentStyles.sized}` : postList.list}
              items={thread.comments}
              render={(comment) => (
                <Comment
                  key={comment.id}
                  comment={comment}
                  boardId={boardId}
                  threadId={threadId}
                  actions={actions}
                  linkedId={linkedId}
                  newIds={newIds}
                />
              )}
            />
          )}
          <OwnUnpublishedPosts
            boardId={boardId}
            threadId={threadId}
            listShownIds={() => (isDeleted ? [] : postIds(thread))}
          />
          {actions.write && thread.comments.length > 0 && (
            <div className={styles.foot}>
              <CommentButton variant="primary" boardId={boardId} threadId={threadId} write={actions.write} />
            </div>
          )}
        </div>
        <ThreadAside thread={thread} write={actions.write} />
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {NewPostsNotice && <NewPostsNotice belowIds={belowIds} />}
      <ReadingTools boardId={boardId} thread={thread} write={actions.write} />
      {dialog}
      {controls && <controls.PostControlsHost user={user} />}
    </div>
  )
}
