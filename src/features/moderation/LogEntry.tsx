import { Undo2 } from 'lucide-react'
import { boardPath } from '#src/contract/board.ts'
import type { LogEntryView } from '#src/contract/log.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './LogScreen.module.css'
import { describeAction, describeReason, describeRole } from './logTexts.ts'

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
        {reason !== '' && <p className={styles.reason}>{describeReason(entry)}</p>}
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
