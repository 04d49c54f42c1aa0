import { ArrowLeft } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { OVERBOARD_PATH, type Overboard, overboardPath } from '#src/contract/thread.ts'
import { ReadingTools } from '#src/features/board/reading/ReadingTools.tsx'
import { usePostFilter } from '#src/features/board/reading/usePostFilter.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { Chip } from '#src/ui/Chip.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import { SvgSprite } from '#src/ui/SvgSprite.tsx'
import { useBoardsCrumb } from '#src/ui/useBoardsCrumb.ts'
import { DensitySwitch } from './DensitySwitch.tsx'
import { hiddenBoards, toggleHiddenBoard } from './hiddenBoards.ts'
import styles from './OverboardScreen.module.css'
import postList from './postList.module.css'
import { cardIcons, ThreadCard } from './ThreadCard.tsx'

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
        trail={[boardsCrumb, { label: t('board.allThreads') }]}
        title={t('board.allThreads')}
        lead={t('board.allBoardsLead')}
        action={
          <ButtonLink variant="text" href="/dtpchan">
            <ArrowLeft className="icon icon-s" />
            {t('board.backToBoards')}
          </ButtonLink>
        }
      >
        <DensitySwitch />
      </PageHeader>
      {boards.length > 1 && (
        <Scripted>
          <fieldset className={styles.boards} disabled={!isHydrated}>
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
      {shown.length === 0 ? (
        <EmptyState>{threads.length === 0 ? t('board.noThreads') : t('board.allHidden')}</EmptyState>
      ) : (
        <div className={postList.list}>
          {shown.map((thread) => (
            <ThreadCard
              key={thread.id}
              thread={thread}
              boardName={nameOf(thread.boardId)}
              write={undefined}
              filter={filter}
            />
          ))}
        </div>
      )}
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
