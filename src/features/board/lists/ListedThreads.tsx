import { ArrowUp } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { canModerate } from '#src/contract/board.ts'
import { ControlsSlot } from '#src/features/board/controls/ControlsSlot.tsx'
import type { ControlledPost } from '#src/features/board/controls/controlStores.ts'
import { idOf, listHideable } from '#src/features/board/post/postElements.ts'
import { ServerHtml } from '#src/features/board/post/ServerHtml.tsx'
import { usePreparedPosts } from '#src/features/board/post/usePreparedPosts.ts'
import { ReadingTools } from '#src/features/board/reading/ReadingTools.tsx'
import { OwnUnpublishedPosts } from '#src/features/board/writing/OwnUnpublishedPosts.ts'
import type { WritePost } from '#src/features/board/writing/usePostDialog.tsx'
import { t } from '#src/i18n/t.ts'
import { focusOn, prepareNeighbourFocus } from '#src/lib/focus.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import './cards.css'
import { cardsIn } from './changeCards.ts'
import postList from './postList.module.css'
import { countWaiting, type useList } from './useList.ts'

type ListedThreadsProps = {
  shown: ReturnType<typeof useList>
  /** the HTML of the threads */
  html: string | undefined
  className: string
  user: AuthUser | null
  write?: WritePost
  /** shown if there are no threads, or none that the page's filter shows */
  empty: ReactNode
  /** applies the page's filter again, when threads have changed or the reader hides some. Must not change otherwise */
  onChange?: () => void
  /** what follows the threads */
  children: ReactNode
}

/** The threads of a board page or a catalog, and what is beside them on both. */
export function ListedThreads({ shown, html, className, user, write, empty, onChange, children }: ListedThreadsProps) {
  const { list, board, count, isDeleted, version, showNew, remove, reload } = shown
  const [waiting, setWaiting] = useState({ count: 0, areNew: false })
  const moderates = canModerate(user, board) && !isDeleted
  usePreparedPosts(version, board.id, write)

  function follow() {
    onChange?.()
    const next = countWaiting(list.current)
    setWaiting((before) => (before.count === next.count && before.areNew === next.areNew ? before : next))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the threads again when they or the filter have changed
  useLayoutEffect(follow, [version, onChange])

  /** Moves the focus to the first thread that a filter does not hide, because the button disappears. */
  function showWaiting() {
    showNew()
    requestAnimationFrame(() => focusOn(listHideable().find((thread) => thread.checkVisibility()) ?? null))
  }

  function onDeleted({ id }: ControlledPost) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`t${id}`))
    remove(id)
    moveFocus()
  }

  return (
    <>
      {isDeleted && (
        <div className={postList.notice}>
          <Alert>{t('board.boardGone')}</Alert>
        </div>
      )}
      <OwnUnpublishedPosts
        boardId={board.id}
        listShownIds={() => (list.current ? cardsIn(list.current).map(idOf) : [])}
      />
      <div className={postList.newThreads} role="status">
        {waiting.count > 0 && (
          <Button size="small" onClick={showWaiting}>
            <ArrowUp className="icon icon-s" />
            {waiting.areNew ? t('board.showNewThreads', waiting) : t('board.showActiveThreads', waiting)}
          </Button>
        )}
      </div>
      {waiting.count === 0 && empty}
      <div hidden={count === 0} data-closed={isDeleted ? '' : undefined} data-moderates={moderates ? '' : undefined}>
        <ServerHtml ref={list} className={className} html={html} onLost={count > 0 ? reload : undefined} />
      </div>
      {children}
      <ReadingTools boardId={board.id} version={version} onHide={follow} />
      <ControlsSlot {...{ user, moderates, version, isDeleted, onDeleted }} />
    </>
  )
}
