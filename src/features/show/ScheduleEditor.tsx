import { PenLine, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import type { ShowView } from '#src/contract/show.ts'
import { formatDate, formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryRows } from '#src/ui/admin/QueryResult.tsx'
import { Row } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import styles from './ScheduleScreen.module.css'
import { ShowDialog } from './ShowDialog.tsx'

/** Lists the shows of a streamer, or all shows for an admin. Renders nothing for users who cannot plan shows. */
export function ScheduleEditor({ user: { role } }: { user: AuthUser }) {
  const query = usePrivateQuery(['shows'], (client) => client.show.editable.query())
  const [editing, edit] = useState<{ show?: ShowView } | null>(null)
  const { deletion, dialog } = useActions(query.refetch)
  const { shows = [], streamers = [] } = query.data ?? {}

  if (query.data && shows.length === 0 && streamers.length === 0) return null
  return (
    <section className={styles.week} aria-labelledby="own-shows-title">
      <div className={`cluster ${styles.head}`}>
        <h2 id="own-shows-title">{role === 'admin' ? t('show.editorTitleAdmin') : t('show.editorTitle')}</h2>
        {streamers.length > 0 && (
          <Button onClick={() => edit({})}>
            <Plus className="icon" />
            {t('show.add')}
          </Button>
        )}
      </div>
      <QueryRows
        query={query}
        failed={t('show.loadOwnFailed')}
        label={t('show.list')}
        items={({ shows }) => shows}
        empty={t('show.noOwn')}
      >
        {(show) => (
          <Row
            key={show.id}
            heading="h3"
            title={show.title}
            facts={[
              ...(role === 'admin' ? [[t('field.streamer'), show.streamer] as [string, string]] : []),
              [t('show.when'), describeTiming(show)],
              [t('show.length'), formatNumber(show.minutes, MINUTE_UNIT)],
            ]}
            actions={
              <>
                <IconButton
                  icon={PenLine}
                  label={t('show.edit', { title: show.title })}
                  onClick={() => edit({ show })}
                />
                <IconButton
                  icon={Trash2}
                  label={t('show.delete', { title: show.title })}
                  danger
                  {...deletion({
                    title: t('show.deleteQuestion', { title: show.title }),
                    text: t('show.deleteText'),
                    failed: t('show.deleteFailed'),
                    done: t('show.deleted', { title: show.title }),
                    run: (client) => client.show.delete.mutate({ id: show.id }),
                  })}
                />
              </>
            }
          />
        )}
      </QueryRows>
      {editing && (
        <ShowDialog
          show={editing.show}
          streamers={streamers}
          onClose={() => edit(null)}
          onSaved={() => void query.refetch()}
          refetchShow={async (id) => (await query.refetch()).data?.shows.find((show) => show.id === id)}
        />
      )}
      {dialog}
    </section>
  )
}

const MINUTE_UNIT = { style: 'unit', unit: 'minute', useGrouping: false } as const
const DAY = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const
/** @param day YYYY-MM-DD */
const formatDay = (day: string) => formatDate(new Date(day), DAY)

/** Returns local times of the show's zone, such as 'Mondays 20:00, from 22/03/2027, Europe/Berlin'. */
function describeTiming({ isWeekly, firstDay, lastDay, startTime, zone: zoneName }: ShowView): string {
  const day = formatDay(firstDay)
  const zone = zoneName.replaceAll('_', ' ')
  if (!isWeekly) return `${day} ${startTime}, ${zone}`
  const weekday = formatDate(new Date(firstDay), { weekday: 'long', timeZone: 'UTC' })
  const timing = { weekday, time: startTime, day, zone }
  return lastDay ? t('show.weeklyUntil', { ...timing, lastDay: formatDay(lastDay) }) : t('show.weekly', timing)
}
