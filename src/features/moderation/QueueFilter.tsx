import { QUEUE_KINDS, type Queue, type QueueKind } from '#src/contract/queue.ts'
import { Chip } from '#src/ui/Chip.tsx'
import styles from './QueueScreen.module.css'

const labels: Record<QueueKind, string> = { report: 'Reports', held: 'Held', appeal: 'Appeals' }

type QueueFilterProps = {
  kind: QueueKind | undefined
  counts: Queue['counts'] | undefined
  onChange: (kind: QueueKind | undefined) => void
}

export function QueueFilter({ kind, counts, onChange }: QueueFilterProps) {
  const total = counts && QUEUE_KINDS.reduce((sum, one) => sum + counts[one], 0)
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">Show</legend>
      <Chip name="kind" checked={kind === undefined} count={total} onChange={() => onChange(undefined)}>
        All
      </Chip>
      {QUEUE_KINDS.map((one) => (
        <Chip key={one} name="kind" checked={kind === one} count={counts?.[one]} onChange={() => onChange(one)}>
          {labels[one]}
        </Chip>
      ))}
    </fieldset>
  )
}
