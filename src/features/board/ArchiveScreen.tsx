import { ArrowLeft } from 'lucide-react'
import type { ArchivePage } from '#src/contract/board.ts'
import { archivePath, boardPath, threadPath } from '#src/contract/boardPaths.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useBoardsCrumb } from '#src/ui/useBoardsCrumb.ts'
import styles from './ArchiveScreen.module.css'

/** Lists the archived threads of a board after `cursor`. */
export function ArchiveScreen({ page, cursor }: { page: ArchivePage; cursor: string | undefined }) {
  const boardsCrumb = useBoardsCrumb()
  const { board, threads, nextCursor } = page
  return (
    <div className="wrap">
      <PageHeader
        trail={[boardsCrumb, { label: `/${board.id}/`, href: boardPath(board.id) }, { label: t('board.archive') }]}
        title={t('board.archiveTitle', { board: board.id })}
        lead={t('board.archiveLead')}
        action={
          <ButtonLink variant="text" href={boardPath(board.id)}>
            <ArrowLeft className="icon icon-s" />
            {t('board.backToBoard')}
          </ButtonLink>
        }
      />
      {threads.length === 0 ? (
        <EmptyState>{t('board.noArchivedThreads')}</EmptyState>
      ) : (
        <ul className={styles.list}>
          {threads.map(({ id, title, lastActivity, commentCount, replyCount }) => (
            <li key={id}>
              <a href={threadPath(board.id, id)} dir="auto">
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
