import { Undo2 } from 'lucide-react'
import { boardPath } from '#src/contract/boardPaths.ts'
import type { LogEntryView } from '#src/contract/moderation.ts'
import { Button } from '#src/ui/Button.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './LogScreen.module.css'
import { describeAction, describeRole } from './logTexts.ts'

export function LogEntry({ entry, onRestore }: { entry: LogEntryView; onRestore: (() => void) | undefined }) {
  const { id, at, boardId, reason, isUndone } = entry
  return (
    <li className={styles.entry}>
      <Time date={at} className={styles.time} />
      <div>
        <p id={`entry-${id}`}>
          <strong className={styles.role}>{describeRole(entry)}</strong> {describeAction(entry)}{' '}
          {boardId === null ? (
            'on the whole site'
          ) : (
            <>
              on <a href={boardPath(boardId)}>/{boardId}/</a>
            </>
          )}
        </p>
        {reason !== '' && <p className={styles.reason}>{reason}</p>}
      </div>
      {isUndone && <Tag icon={Undo2}>Restored</Tag>}
      {onRestore && (
        <Button size="small" aria-describedby={`entry-${id}`} onClick={onRestore}>
          <Undo2 className="icon icon-s" />
          Restore
        </Button>
      )}
    </li>
  )
}
