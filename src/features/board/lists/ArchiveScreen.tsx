import { boardPath } from '#src/contract/board.ts'
import { type ArchivePage, archivePath, threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { Time } from '#src/ui/Time.tsx'
import { BoardHead } from './BoardHead.tsx'
import styles from './listScreens.module.css'

/** Lists the archived threads of a board after `cursor`. */
export function ArchiveScreen({ page, cursor }: { page: ArchivePage; cursor: string | undefined }) {
  const { board, threads, nextCursor } = page
  return (
    <div className="wrap">
      <BoardHead
        board={board}
        page="archive"
        title={t('board.archiveTitle', { board: board.id })}
        lead={t('board.archiveLead')}
      />
      {threads.length === 0 ? (
        <EmptyState
          hint={board.threadLimit > 0 && t('board.archiveHint', { limit: board.threadLimit })}
          action={<ButtonLink href={boardPath(board.id)}>{t('board.backToBoard')}</ButtonLink>}
        >
          {t('board.noArchivedThreads')}
        </EmptyState>
      ) : (
        <ul className={`ruled ${styles.list}`}>
          {threads.map(({ id, title, lastActivity, commentCount, replyCount }) => (
            <li key={id}>
              <a className="stretched" href={threadPath(board.id, id)} dir="auto">
                {title}
              </a>{' '}
              <span className="data">{t('ui.postNumber', { id })}</span>{' '}
              <span className="data">{t('board.replyCount', { count: commentCount + replyCount })}</span>{' '}
              <Time date={lastActivity} className="data" />
            </li>
          ))}
        </ul>
      )}
      <Pagination
        previous={cursor === undefined ? undefined : archivePath(board.id)}
        previousLabel={t('board.newest')}
        next={nextCursor === null ? undefined : archivePath(board.id, nextCursor)}
        nextLabel={t('board.olderThreads')}
      />
    </div>
  )
}
