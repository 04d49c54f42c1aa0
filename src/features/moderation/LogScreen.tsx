import { ArrowLeft, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardPath, canModerate, LOG_PATH } from '#src/contract/board.ts'
import { type LogEntryView, type LogPage, restoreBoardsOf } from '#src/contract/log.ts'
import { rich, t } from '#src/i18n/t.ts'
import { useLiveData } from '#src/lib/liveData.ts'
import { trpc } from '#src/lib/trpc.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { useBoardsCrumb } from '#src/ui/site.ts'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { describeAction, describeReason, describeRole } from './logTexts.ts'
import styles from './moderation.module.css'

type LogScreenProps = { initial: LogPage; before: number | undefined; user: AuthUser | null }

/** Shows a page of the public log. Moderators can restore what was removed on their boards. */
export function LogScreen({ initial, before, user }: LogScreenProps) {
  const boardsCrumb = useBoardsCrumb()
  const { entries, nextBefore, reload } = useLog(initial, before)
  const moderates = useModeratedBoards(user)
  const { dialog, askToDelete } = useDeletion()

  const askToRestore = (entry: LogEntryView) => void askToDelete(describeRestoration(entry), () => void reload())

  return (
    <div className="wrap">
      <PageHeader
        trail={[boardsCrumb, { label: t('board.moderationLog') }]}
        title={t('board.moderationLog')}
        lead={t('moderation.logLead')}
        action={
          <ButtonLink variant="text" href={user ? '/admin/queue' : '/dtpchan'}>
            <ArrowLeft className="icon icon-s" />
            {user ? t('moderation.logToQueue') : t('board.backToBoards')}
          </ButtonLink>
        }
      />
      {entries.length === 0 ? (
        <EmptyState>{t('moderation.logEmpty')}</EmptyState>
      ) : (
        <ol className="ruled">
          {entries.map((entry) => (
            <LogEntry
              key={entry.id}
              entry={entry}
              onRestore={
                entry.canRestore && restoreBoardsOf(entry).every(moderates) ? () => askToRestore(entry) : undefined
              }
            />
          ))}
        </ol>
      )}
      <Pagination
        previous={before === undefined ? undefined : LOG_PATH}
        previousLabel={t('board.newest')}
        next={nextBefore === null ? undefined : `${LOG_PATH}?before=${nextBefore}`}
        nextLabel={t('moderation.logOlder')}
      />
      {dialog}
    </div>
  )
}

function useLog(initialData: LogPage, before: number | undefined) {
  const { data, refetch } = useLiveData({
    initialData,
    lastEventId: initialData.lastEventId,
    key: before,
    read: async () => (await trpc()).moderation.log.query({ before }),
    topic: 'log',
  })
  return { ...data, reload: refetch }
}

/** Returns a function that tells whether the user may moderate a board, or the whole site for `null`. */
function useModeratedBoards(user: AuthUser | null): (boardId: string | null) => boolean {
  const [boardIds, setBoardIds] = useState<string[]>([])
  const member = user?.role === 'member' ? user : null

  useEffect(() => {
    if (!member) return
    let isCurrent = true
    const load = async () => {
      const { boards } = await (await trpc()).board.list.query()
      if (isCurrent) setBoardIds(boards.filter((board) => canModerate(member, board)).map(({ id }) => id))
    }
    // Without the list, the page works as for visitors.
    load().catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [member])

  return (boardId) => user?.role === 'admin' || (member !== null && boardId !== null && boardIds.includes(boardId))
}

const describeRestoration = ({ id, count, isThread }: LogEntryView): Deletion => ({
  title: isThread ? t('moderation.restoreThread', { count }) : t('moderation.restoreTitle', { count }),
  text: t('moderation.restoreText', { count }),
  verb: t('moderation.restore'),
  variant: 'primary',
  failed: t('moderation.restoreFailed'),
  done: t('moderation.restored'),
  run: async () => (await trpc()).moderation.restore.mutate({ logId: id }),
})

export function LogEntry({ entry, onRestore }: { entry: LogEntryView; onRestore: (() => void) | undefined }) {
  const { id, at, boardId, reason, isUndone } = entry
  return (
    <li className={styles.entry}>
      <Time date={at} className={`data ${styles.time}`} />
      <div>
        <p id={`entry-${id}`}>
          {describeAction(entry, {
            role: () => <strong>{describeRole(entry)}</strong>,
            place: () => <Place boardId={boardId} />,
          })}
        </p>
        {reason !== '' && <p className={`quiet ${styles.reason}`}>{describeReason(entry)}</p>}
      </div>
      {isUndone && <Tag icon={Undo2}>{t('moderation.restored')}</Tag>}
      {onRestore && (
        <Button size="small" aria-describedby={`entry-${id}`} onClick={onRestore}>
          <Undo2 className="icon icon-s" />
          {t('moderation.restore')}
        </Button>
      )}
    </li>
  )
}

function Place({ boardId }: Pick<LogEntryView, 'boardId'>) {
  if (boardId === null) return t('moderation.logOnSite')
  return rich('moderation.logOnBoard', { boardId, link: (text) => <a href={boardPath(boardId)}>{text}</a> })
}
