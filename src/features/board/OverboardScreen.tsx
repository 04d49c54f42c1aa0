import { ArrowLeft } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { boardMessages, type Overboard } from '#src/contract/board.ts'
import { OVERBOARD_PATH, overboardPath } from '#src/contract/boardPaths.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { Chip } from '#src/ui/Chip.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { MemoizedList } from '#src/ui/MemoizedList.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { SvgSprite } from '#src/ui/SvgSprite.tsx'
import { useBoardsCrumb } from '#src/ui/useBoardsCrumb.ts'
import { hiddenBoards, toggleHiddenBoard } from './hiddenBoards.ts'
import styles from './OverboardScreen.module.css'
import postList from './postList.module.css'
import { ReadingTools } from './ReadingTools.tsx'
import { cardIcons, ThreadCard } from './ThreadCard.tsx'
import { usePostFilter } from './usePostFilter.ts'

/** Shows the threads of all boards after `cursor`, except those of boards that the visitor hides. */
export function OverboardScreen({ page, cursor }: { page: Overboard; cursor: string | undefined }) {
  const boardsCrumb = useBoardsCrumb()
  const { boards, threads, nextCursor } = page
  const hidden = hiddenBoards.useValue()
  const isHydrated = useHydrated()
  const shown = threads.filter(({ boardId }) => !hidden.includes(boardId))
  const filter = usePostFilter(undefined)
  const nameOf = (boardId: string) => boards.find(({ id }) => id === boardId)?.name ?? ''

  // Removes the style sheet with which pages/early.js hid the boards until now.
  useLayoutEffect(() => {
    if (isHydrated) document.adoptedStyleSheets = []
  }, [isHydrated])

  return (
    <div className="wrap">
      <SvgSprite icons={cardIcons} />
      <PageHeader
        trail={[boardsCrumb, { label: 'All boards' }]}
        title="All boards"
        lead="Threads of all boards, the most recently active first."
        action={
          <ButtonLink variant="text" href="/dtpchan">
            <ArrowLeft className="icon icon-s" />
            Back to boards
          </ButtonLink>
        }
      />
      {boards.length > 1 && (
        <fieldset className={styles.boards} disabled={!isHydrated}>
          <legend className="label">Boards shown</legend>
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
      )}
      {shown.length === 0 ? (
        <EmptyState>
          {threads.length === 0 ? boardMessages.noThreads : 'All threads on this page are on boards that you hide.'}
        </EmptyState>
      ) : (
        <MemoizedList
          keyOf={(thread) => `all ${JSON.stringify([nameOf(thread.boardId), thread])}`}
          className={postList.list}
          items={shown}
          render={(thread) => (
            <ThreadCard
              key={thread.id}
              thread={thread}
              boardName={nameOf(thread.boardId)}
              write={undefined}
              filter={filter}
            />
          )}
        />
      )}
      <Pagination
        previous={cursor === undefined ? undefined : OVERBOARD_PATH}
        previousLabel="Newest"
        next={nextCursor === null ? undefined : overboardPath(nextCursor)}
        nextLabel="Older threads"
      />
      <ReadingTools />
    </div>
  )
}
