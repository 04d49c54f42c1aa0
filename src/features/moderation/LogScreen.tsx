import { ArrowLeft } from 'lucide-react'
import type { AuthUser } from '#src/contract/auth.ts'
import { LOG_PATH, type LogEntryView, type LogPage } from '#src/contract/log.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { useBoardsCrumb } from '#src/ui/useBoardsCrumb.ts'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { LogEntry } from './LogEntry.tsx'
import styles from './LogScreen.module.css'
import { useLog } from './useLog.ts'
import { useModeratedBoards } from './useModeratedBoards.ts'

type LogScreenProps = { initial: LogPage; before: number | undefined; user: AuthUser | null }

/** Shows a page of the public log. Moderators can restore what was removed on their boards. */
export function LogScreen({ initial, before, user }: LogScreenProps) {
  const boardsCrumb = useBoardsCrumb()
  const { entries, nextBefore, reload } = useLog(initial, before)
  const moderates = useModeratedBoards(user)
  const { dialog, askToDelete } = useDeletion()

  function askToRestore(entry: LogEntryView) {
    const describe = async () => (await import('./restoration.ts')).describeRestoration(entry)
    void askToDelete(describe, () => void reload())
  }

  return (
    <div className="wrap">
      <PageHeader
        trail={[boardsCrumb, { label: t('moderation.logTitle') }]}
        title={t('moderation.logTitle')}
        lead={t('moderation.logLead')}
        action={
          <ButtonLink variant="text" href={user ? '/admin/queue' : '/dtpchan'}>
            <ArrowLeft className="icon icon-s" />
            {user ? t('moderation.logToQueue') : t('moderation.logToBoards')}
          </ButtonLink>
        }
      />
      {entries.length === 0 ? (
        <EmptyState>{t('moderation.logEmpty')}</EmptyState>
      ) : (
        <ol className={styles.list}>
          {entries.map((entry) => (
            <LogEntry
              key={entry.id}
              entry={entry}
              onRestore={entry.canRestore && moderates(entry.boardId) ? () => askToRestore(entry) : undefined}
            />
          ))}
        </ol>
      )}
      <Pagination
        previous={before === undefined ? undefined : LOG_PATH}
        previousLabel={t('moderation.logNewest')}
        next={nextBefore === null ? undefined : `${LOG_PATH}?before=${nextBefore}`}
        nextLabel={t('moderation.logOlder')}
      />
      {dialog}
    </div>
  )
}
