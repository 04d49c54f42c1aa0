import { useEffect, useState } from 'react'
import { type ReportedItem, type ReportQueue, reportMessages } from '#src/contract/reports.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { QueueActions } from './QueueActions.tsx'
import { QueueItem } from './QueueItem.tsx'
import styles from './QueueScreen.module.css'

/** Looks for new reports this often while the queue is empty. */
const POLL_MS = 15_000

/** Shows the reported items one after the other. */
export function QueueScreen() {
  /** the queue continues after the item with this report */
  const [after, setAfter] = useState(0)
  const [passed, setPassed] = useState<ReadonlySet<number>>(new Set())
  const query = usePrivateQuery(['queue', after], (client) => client.moderation.queue.query({ after }), {
    pollMs: (queue) => (queue?.items.length === 0 ? POLL_MS : null),
  })

  function pass({ reportId }: ReportedItem) {
    const next = new Set([...passed, reportId])
    setPassed(next)
    const items = query.data?.items ?? []
    const last = items.at(-1)
    if (last && items.every((item) => next.has(item.reportId))) setAfter(last.reportId)
  }

  function restart() {
    setPassed(new Set())
    setAfter(0)
    void query.refetch()
  }

  return (
    <QueryResult query={query} failed={reportMessages.load}>
      {(queue) => <Current key={after} queue={queue} passed={passed} onPass={pass} onRestart={restart} />}
    </QueryResult>
  )
}

type CurrentProps = {
  queue: ReportQueue
  passed: ReadonlySet<number>
  onPass: (item: ReportedItem) => void
  onRestart: () => void
}

function Current({ queue, passed, onPass, onRestart }: CurrentProps) {
  const item = queue.items.find(({ reportId }) => !passed.has(reportId))
  useEffect(() => {
    if (item) window.scrollTo({ top: 0 })
  }, [item])

  if (!item) {
    return (
      <EmptyState action={passed.size > 0 && <Button onClick={onRestart}>Look again</Button>}>
        Nothing waits for a review.
      </EmptyState>
    )
  }
  return (
    <div className={styles.screen}>
      <p className="data" role="status">
        {queue.total === 1 ? '1 reported item' : `${queue.total} reported items`}
      </p>
      <QueueItem key={item.reportId} item={item} />
      <QueueActions key={`actions ${item.reportId}`} item={item} onDone={() => onPass(item)} />
    </div>
  )
}
