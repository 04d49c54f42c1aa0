import { useEffect, useRef, useState } from 'react'
import { QUEUE_KINDS, type Queue, type QueueItem, type QueueKind } from '#src/contract/queue.ts'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Chip } from '#src/ui/Chip.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import styles from './QueueScreen.module.css'
import { QueueStage } from './QueueStage.tsx'
import { boardOf, kindLabels, summaryOf } from './queueTexts.ts'
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
    <div className={`stack ${styles.screen}`}>
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
  const list = useRef<HTMLDivElement>(null)
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
    // With the message above the item, if the list did not load.
    list.current?.scrollIntoView({ block: 'start' })
  }, [cursor])

  return (
    <div ref={list} className={`stack ${styles.list}`}>
      <QueryResult query={query} failed={t('moderation.queueFailed')}>
        {() => (
          <div className={`stack ${styles.columns}`}>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
            <div
              ref={stage}
              className={`stack ${styles.stage}`}
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
                // After a failure, more may wait than the last list had.
                !query.isError && <EmptyState>{t('moderation.queueEmpty')}</EmptyState>
              )}
            </div>
            {next.length > 0 && <QueueNext items={next} onChoose={queue.choose} />}
          </div>
        )}
      </QueryResult>
    </div>
  )
}

/** Lists the items that come next, for wide screens. */
function QueueNext({ items, onChoose }: { items: QueueItem[]; onChoose: (item: QueueItem) => void }) {
  return (
    <aside className={styles.next} aria-labelledby="queue-next">
      <h2 className="label" id="queue-next">
        {t('player.next')}
      </h2>
      <ol className="ruled">
        {items.map((item) => (
          <li key={item.cursor}>
            <button type="button" onClick={() => onChoose(item)}>
              <span className="clamp">{summaryOf(item)}</span>
              <span className="data">
                {kindLabels[item.kind]()}
                {boardOf(item) !== null && ` · /${boardOf(item)}/`}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </aside>
  )
}

const labels: Record<QueueKind, () => string> = {
  report: () => t('moderation.queueReports'),
  held: () => t('moderation.queueHeld'),
  appeal: () => t('moderation.queueAppeals'),
}

type QueueFilterProps = {
  kind: QueueKind | undefined
  counts: Queue['counts'] | undefined
  onChange: (kind: QueueKind | undefined) => void
}

function QueueFilter({ kind, counts, onChange }: QueueFilterProps) {
  const total = counts && QUEUE_KINDS.reduce((sum, one) => sum + counts[one], 0)
  return (
    <fieldset className="cluster">
      <legend className="visually-hidden">{t('moderation.queueShow')}</legend>
      <Chip name="kind" checked={kind === undefined} count={total} onChange={() => onChange(undefined)}>
        {t('moderation.queueAll')}
      </Chip>
      {QUEUE_KINDS.map((one) => (
        <Chip key={one} name="kind" checked={kind === one} count={counts?.[one]} onChange={() => onChange(one)}>
          {labels[one]()}
        </Chip>
      ))}
    </fieldset>
  )
}
