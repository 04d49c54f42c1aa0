import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './moderation.module.css'
import { boardOf, kindLabels, placeOf, summaryOf, titleOf } from './queueTexts.ts'
import { useQueueChanges } from './useQueue.ts'

/** Lists what waits for a moderator in the order of the queue, with a link to each item. */
export function WaitingList() {
  const query = usePrivateQuery(['waiting list'], (client) => client.moderation.queue.query({}))
  useQueueChanges(query)
  return (
    <QueryResult query={query} failed={t('moderation.queueFailed')}>
      {({ items, counts }) => {
        const total = counts.report + counts.held + counts.appeal
        if (items.length === 0) return <p className="hint">{t('moderation.queueEmpty')}</p>
        return (
          <>
            <ol className="ruled" aria-label={t('admin.waiting')}>
              {items.map((item) => (
                <li key={item.cursor}>
                  <a className={styles.item} href={`/admin/queue?item=${item.cursor}`}>
                    <span className={`ellipsis ${styles.summary}`}>{summaryOf(item) || titleOf(item)}</span>
                    <span className="data">
                      {kindLabels[item.kind]()} · {placeOf(boardOf(item))} · <RelativeTime date={item.since} />
                    </span>
                  </a>
                </li>
              ))}
            </ol>
            <ButtonLink className={styles.all} variant="primary" href="/admin/queue">
              {t('moderation.openQueue', { count: total })}
            </ButtonLink>
          </>
        )
      }}
    </QueryResult>
  )
}
