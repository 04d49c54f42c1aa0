import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { errorCode } from '#src/lib/trpc.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type LoadedQueue, RequestRows } from './RequestRows.tsx'

// Apart from the rows, which a page without React Query shows.

/** Loads the waiting requests for a page that does not have them. Shows a text if the station takes no requests. */
export function RequestList({ canFinish }: { canFinish: boolean }) {
  const query = usePrivateQuery<LoadedQueue>(['song-requests'], ({ songRequest }) => songRequest.list.query())
  if (errorCode(query.error) === 'NOT_FOUND') return <p className="hint">{t('radio.requestOff')}</p>
  return (
    <QueryResult query={query} failed={t('show.requestsFailed')}>
      {(queue) => <RequestRows initial={queue} canFinish={canFinish} />}
    </QueryResult>
  )
}
