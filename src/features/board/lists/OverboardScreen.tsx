import { useLayoutEffect, useRef } from 'react'
import { reload } from 'vike/client/router'
import { HIDDEN_BOARDS_KEY } from '#src/contract/board.ts'
import { OVERBOARD_PATH, overboardPath, type ShownOverboard } from '#src/contract/thread.ts'
import { ServerHtml } from '#src/features/board/post/ServerHtml.tsx'
import { usePreparedPosts } from '#src/features/board/post/usePreparedPosts.ts'
import { ReadingTools } from '#src/features/board/reading/ReadingTools.tsx'
import { t } from '#src/i18n/t.ts'
import { createStoredStore } from '#src/lib/storedStore.ts'
import { Chip } from '#src/ui/Chip.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { Pagination } from '#src/ui/Pagination.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import { useBoardsCrumb } from '#src/ui/site.ts'
import { BackLink, ListHead } from './BoardHead.tsx'
import './cards.css'
import { cardsIn } from './changeCards.ts'
import { DensitySwitch } from './DensitySwitch.tsx'
import styles from './listScreens.module.css'
import postList from './postList.module.css'

/** Ids of the boards that this browser hides on this page. */
const hiddenBoards = createStoredStore(
  HIDDEN_BOARDS_KEY,
  (stored): string[] => (Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []),
  (ids) => (ids.length > 0 ? ids : null),
)

const toggleHiddenBoard = (boardId: string): void =>
  hiddenBoards.change((ids) => (ids.includes(boardId) ? ids.filter((id) => id !== boardId) : [...ids, boardId]))

/** Shows the threads of all boards after `cursor`, except those of boards that the visitor hides. */
export function OverboardScreen({ page, cursor }: { page: ShownOverboard; cursor: string | undefined }) {
  const boardsCrumb = useBoardsCrumb()
  const { boards, boardIds, count, nextCursor } = page
  const hidden = hiddenBoards.useValue()
  const isHydrated = useHydrated()
  const isEmpty = boardIds.every((id) => hidden.includes(id))
  usePreparedPosts(0)
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    for (const card of list.current ? cardsIn(list.current) : [])
      card.hidden = isHydrated && hidden.includes(card.dataset.board ?? '')
  }, [isHydrated, hidden])
  // Removes the style sheet with which pages/early.js hid the boards until now.
  useLayoutEffect(() => {
    if (isHydrated) document.adoptedStyleSheets = []
  }, [isHydrated])

  return (
    <div className="wrap">
      <ListHead
        trail={[boardsCrumb, { label: t('board.allThreads') }]}
        links={<BackLink href="/dtpchan">{t('board.backToBoards')}</BackLink>}
        title={t('board.allThreads')}
        lead={t('board.allBoardsLead')}
        options={<DensitySwitch />}
      />
      {boards.length > 1 && (
        <Scripted>
          <fieldset className={`cluster ${styles.boards}`} disabled={!isHydrated}>
            <legend className="label">{t('board.boardsShown')}</legend>
            {boards.map(({ id, name }) => (
              <Chip
                key={id}
                type="checkbox"
                title={name}
                checked={!hidden.includes(id)}
                onChange={() => toggleHiddenBoard(id)}
              >
                /{id}/
              </Chip>
            ))}
          </fieldset>
        </Scripted>
      )}
      {isEmpty && <EmptyState>{count === 0 ? t('board.noThreads') : t('board.allHidden')}</EmptyState>}
      <div hidden={isEmpty}>
        <ServerHtml ref={list} className={postList.list} html={page.html} onLost={count > 0 ? reload : undefined} />
      </div>
      <Pagination
        previous={cursor === undefined ? undefined : OVERBOARD_PATH}
        previousLabel={t('board.newest')}
        next={nextCursor === null ? undefined : overboardPath(nextCursor)}
        nextLabel={t('board.olderThreads')}
      />
      <ReadingTools />
    </div>
  )
}
