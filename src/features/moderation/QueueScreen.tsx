import { useEffect, useRef, useState } from 'react'
import type { Queue, QueueKind } from '#src/contract/queue.ts'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { QueueFilter } from './QueueFilter.tsx'
import { QueueNext } from './QueueNext.tsx'
import styles from './QueueScreen.module.css'
import { QueueStage } from './QueueStage.tsx'
import { useQueue } from './useQueue.ts'

type QueueScreenProps = {
  isAdmin: boolean
  /** cursor of the item to begin with */
  first: string | undefined
}

/** Shows what waits for a moderator, one item after the other. */
export function QueueScreen({ isAdmin, first }: QueueScreenProps) {
  const [kind, setKind] = useState<QueueKind>()
  const [counts, setCounts] = useState<Queue['counts']>()
  return (
    <div className={styles.screen}>
      <QueueFilter kind={kind} counts={counts} onChange={setKind} />
      <QueueItems key={kind ?? 'all'} kind={kind} first={first} isAdmin={isAdmin} onCounts={setCounts} />
    </div>
  )
}

type QueueItemsProps = QueueScreenProps & {
  kind: QueueKind | undefined
  onCounts: (counts: Queue['counts']) => void
}

function QueueItems({ kind, first, isAdmin, onCounts }: QueueItemsProps) {
  const queue = useQueue(kind, first)
  const { query, current, next, isLoading, hasPostponed } = queue
  const stage = useRef<HTMLDivElement>(null)
  const cursor = current?.cursor
  const shown = useRef(cursor)

  const counts = query.data?.counts
  useEffect(() => {
    if (counts) onCounts(counts)
  }, [counts, onCounts])

  // Screen readers read the next item, and the keyboard continues there.
  useEffect(() => {
    const hasMoved = shown.current !== undefined && shown.current !== cursor
    shown.current = cursor
    if (!hasMoved) return
    focusOn(stage.current)
    stage.current?.scrollIntoView({ block: 'start' })
  }, [cursor])

  return (
    <QueryResult query={query} failed={t('moderation.queueFailed')}>
      {() => (
        <div className={styles.columns}>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
          <div
            ref={stage}
            className={styles.stage}
            role="group"
            aria-label={current ? t('moderation.currentItem') : t('moderation.queue')}
          >
            {current ? (
              <QueueStage
                key={current.cursor}
                item={current}
                isAdmin={isAdmin}
                onDone={queue.finish}
                onChange={() => void query.refetch()}
                onLater={() => queue.postpone(current)}
              />
            ) : isLoading ? (
              <p className="hint">{t('ui.loading')}</p>
            ) : hasPostponed ? (
              <EmptyState action={<Button onClick={queue.restart}>{t('moderation.lookAgain')}</Button>}>
                {t('moderation.queuePostponed')}
              </EmptyState>
            ) : (
              <EmptyState>{t('moderation.queueEmpty')}</EmptyState>
            )}
          </div>
          {next.length > 0 && <QueueNext items={next} onChoose={queue.choose} />}
        </div>
      )}
    </QueryResult>
  )
}
