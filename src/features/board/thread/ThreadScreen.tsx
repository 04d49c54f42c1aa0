import { ChevronDown } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { navigate } from 'vike/client/router'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardPath, canModerate } from '#src/contract/board.ts'
import { feedPath } from '#src/contract/feeds.ts'
import { type ShownThread, threadPath } from '#src/contract/thread.ts'
import { ControlsSlot } from '#src/features/board/controls/ControlsSlot.tsx'
import type { ControlledPost } from '#src/features/board/controls/controlStores.ts'
import { DensitySwitch } from '#src/features/board/lists/DensitySwitch.tsx'
import postList from '#src/features/board/lists/postList.module.css'
import {
  authorOf,
  countPosts,
  findPost,
  listImages,
  listPosts,
  postIds,
} from '#src/features/board/post/postElements.ts'
import { ServerHtml } from '#src/features/board/post/ServerHtml.tsx'
import { usePreparedPosts } from '#src/features/board/post/usePreparedPosts.ts'
import { ReadingTools } from '#src/features/board/reading/ReadingTools.tsx'
import { OwnUnpublishedPosts } from '#src/features/board/writing/OwnUnpublishedPosts.ts'
import { CommentButton } from '#src/features/board/writing/PostFormLink.tsx'
import { usePostDialog } from '#src/features/board/writing/usePostDialog.tsx'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { Breadcrumbs } from '#src/ui/PageHeader.tsx'
import { useBoardsCrumb } from '#src/ui/site.ts'
import { toast } from '#src/ui/Toast.tsx'
import { OpeningPost } from './OpeningPost.tsx'
import { ThreadAside } from './ThreadAside.tsx'
import styles from './ThreadScreen.module.css'
import { useLinkedPost, useOldFragment } from './useLinkedPost.ts'
import { useNewPosts } from './useNewPosts.ts'
import { useThread } from './useThread.ts'

export function ThreadScreen({ initial, user }: { initial: ShownThread; user: AuthUser | null }) {
  const boardsCrumb = useBoardsCrumb()
  const list = useRef<HTMLDivElement>(null)
  const { thread, isDeleted, movedTo, version, add, remove, refetch } = useThread(initial, list)
  const { newestId, images, authors, counts } = useThreadFacts(initial, version)
  const counted = { ...thread, ...counts }
  const { belowIds, announcement, markOwn } = useNewPosts(version)
  useLinkedPost(version)
  useOldFragment(initial.thread.id)
  const heading = useRef<HTMLHeadingElement>(null)
  const [ownPostId, setOwnPostId] = useState<number | null>(null)
  const { board } = initial
  const {
    dialog,
    isOpen,
    write: writePost,
  } = usePostDialog(
    (post) => {
      markOwn(post.id)
      // If this fails, the event brings the post.
      add(post.id).catch(() => {})
      setOwnPostId(post.id)
    },
    { board: { ...board, id: movedTo ?? board.id }, user },
  )
  const isEmpty = newestId === thread.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the page has the post
  useEffect(() => {
    // The list of comments is hidden until the first one is counted.
    const element = ownPostId === null || isEmpty ? null : findPost(ownPostId)
    if (!element) return
    element.scrollIntoView({ block: 'nearest' })
    focusOn(element)
    setOwnPostId(null)
  }, [ownPostId, version, isEmpty])
  const boardId = board.id
  const threadId = thread.id
  // An open form stays, and posts to the new board.
  const follow = useEffectEvent((toBoard: string) => {
    if (isOpen) return toast(t('board.threadMoved'))
    const anchor = ownPostId === null ? '' : `#p${ownPostId}`
    // The old place leaves the history: Back would lead to the same thread.
    void navigate(`${threadPath(toBoard, threadId)}${anchor}`, { overwriteLastHistoryEntry: true })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows when the form closes
  useEffect(() => {
    if (movedTo !== null) follow(movedTo)
  }, [movedTo, isOpen])
  const moderates = canModerate(user, board)
  const takesPosts = !isDeleted && !thread.archived && (moderates || !thread.locked)
  const write = takesPosts ? writePost : undefined
  usePreparedPosts(version, boardId, write, threadId)

  // Moves the focus to the comments heading, because the focused post disappears.
  function onDeleted({ kind, id }: ControlledPost) {
    if (kind === 'thread') return void navigate(boardPath(boardId))
    remove(id)
    heading.current?.focus({ preventScroll: true })
  }

  return (
    <div className="wrap">
      <div className={`cluster ${styles.top}`}>
        <Breadcrumbs
          trail={[boardsCrumb, { label: `/${boardId}/`, href: boardPath(boardId) }, { label: t('board.thread') }]}
        />
        <div className="cluster">
          {/* WatchButton.tsx renders into this element. */}
          <span id="watch" />
          <ButtonLink variant="text" href={`#p${newestId}`}>
            <ChevronDown className="icon icon-s" />
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
          <OpeningPost {...{ thread, takesPosts }} html={initial.html?.opening} isWriting={isOpen} onLost={refetch} />
          <div className={`cluster ${styles.comments}`}>
            <h2 className="h3" ref={heading} tabIndex={-1}>
              {t('board.commentsHeading', { count: counted.commentCount })}
            </h2>
            <DensitySwitch />
          </div>
          {initial.omitted && <p className={styles.note}>{t('board.omitted', { count: initial.omitted })}</p>}
          {isEmpty && (
            <div className={styles.empty}>
              <EmptyState>{t('board.noComments')}</EmptyState>
            </div>
          )}
          <div hidden={isEmpty} data-closed={takesPosts ? undefined : ''}>
            <ServerHtml ref={list} className={postList.list} html={initial.html?.comments} />
          </div>
          <OwnUnpublishedPosts
            boardId={boardId}
            threadId={threadId}
            listShownIds={() => (isDeleted ? [] : postIds())}
          />
          {takesPosts && !isEmpty && (
            <div className={styles.foot}>
              <CommentButton boardId={boardId} threadId={threadId} />
            </div>
          )}
        </div>
        <ThreadAside thread={counted} images={images} authors={authors} takesPosts={takesPosts} />
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {belowIds.length > 0 && (
        <Button variant="primary" size="small" className={styles.pill} onClick={() => goTo(belowIds[0])}>
          <ChevronDown className="icon icon-s" />
          {t('board.newCount', { count: belowIds.length })}
        </Button>
      )}
      <ReadingTools boardId={boardId} thread={thread} version={version} write={write} />
      {dialog}
      <ControlsSlot {...{ user, thread, version, moderates, isDeleted, onDeleted }} />
    </div>
  )
}

/** Scrolls to a new post below the visible part. */
function goTo(id = 0) {
  const post = findPost(id)
  focusOn(post)
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  post?.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' })
}

/** Returns what the page says about its posts: from the server at first, then from the posts on the page. */
function useThreadFacts({ newestId, images, authors, omitted }: ShownThread, version: number) {
  const [facts, setFacts] = useState({ newestId, images, authors, counts: {} })
  // A layout effect, because the list is hidden while it is empty: other effects scroll to a new post.
  useLayoutEffect(() => {
    if (version === 0) return
    const posts = listPosts()
    setFacts({
      newestId: Math.max(...postIds()),
      images: listImages(posts).length,
      authors: [...new Set(posts.flatMap((post) => authorOf(post) || []))],
      // Not from events: a post's event may already count a deletion whose own event follows.
      counts: omitted ? {} : countPosts(),
    })
  }, [version, omitted])
  return facts
}
