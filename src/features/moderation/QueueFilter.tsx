import { QUEUE_KINDS, type Queue, type QueueKind } from '#src/contract/queue.ts'
import { t } from '#src/i18n/t.ts'
import { Chip } from '#src/ui/Chip.tsx'
import styles from './QueueScreen.module.css'

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

export function QueueFilter({ kind, counts, onChange }: QueueFilterProps) {
  const total = counts && QUEUE_KINDS.reduce((sum, one) => sum + counts[one], 0)
  return (
    <fieldset className={styles.filter}>
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
