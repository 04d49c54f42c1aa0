import { Clock, MessagesSquare, Trash2 } from 'lucide-react'
import { boardLimits, boardPath } from '#src/contract/board.ts'
import { type ListedBoard, threadPath } from '#src/contract/thread.ts'
import postList from '#src/features/board/lists/postList.module.css'
import { t } from '#src/i18n/t.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import { TickLevels } from '#src/ui/TickLevels.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './BoardRow.module.css'
import { Moderators } from './Moderators.tsx'

/** Two half hours. */
const RECENT_COUNTS = 2

export function BoardRow({ board, onDelete }: { board: ListedBoard; onDelete?: () => void }) {
  const { id, latest } = board
  return (
    <article className={postList.post} aria-labelledby={`board-${id}`}>
      <div className="gutter">
        <p className={styles.slug} translate="no">
          /{id}/
        </p>
      </div>
      <div className={cx('body', styles.body)}>
        <div>
          <h2 className={`h3 ${styles.name}`} id={`board-${id}`}>
            <a href={boardPath(id)}>{board.name}</a>
          </h2>
          <p className={cx('quiet', styles.description)}>{board.description}</p>
          {latest && (
            <p className={styles.latest}>
              <span className="label">{t('board.latest')}</span>{' '}
              <a className="ellipsis" href={threadPath(id, latest.id)} dir="auto">
                {latest.title}
              </a>
            </p>
          )}
          <Moderators emails={board.moderators} />
        </div>
        <div className={styles.side}>
          <Activity counts={board.activity} />
          <p className={cx('data cluster', styles.stats)}>
            <span className={styles.stat}>
              <MessagesSquare className="icon icon-s" />
              {countThreads(board.threads)}
            </span>{' '}
            {latest && (
              <span className={styles.stat}>
                <Clock className="icon icon-s" />
                <span className="visually-hidden">{`${t('board.lastActivity')} `}</span>
                <RelativeTime date={latest.lastActivity} />
              </span>
            )}
          </p>
          <div className={cx('spread', styles.actions)}>
            {onDelete && (
              <Button variant="text" title={t('board.deleteBoard', { board: id })} onClick={onDelete}>
                <Trash2 className="icon icon-s" />
                {t('ui.delete')}
              </Button>
            )}
            <ButtonLink href={boardPath(id)} aria-describedby={`board-${id}`}>
              {t('board.viewBoard')}
            </ButtonLink>
          </div>
        </div>
      </div>
    </article>
  )
}

function Activity({ counts }: { counts: number[] }) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const text = t('board.postsInDay', { count: total })
  return (
    <div className={styles.activity} role="img" aria-label={text} title={text}>
      <Ruler tall className={styles.ruler} />
      {total > 0 && (
        <TickLevels
          className={styles.levels}
          counts={counts}
          slots={boardLimits.activityCounts}
          recent={RECENT_COUNTS}
        />
      )}
    </div>
  )
}

function countThreads(count: number): string {
  if (count > boardLimits.countedThreads) return t('board.threadCountOver', { count: boardLimits.countedThreads })
  return t('board.threadCount', { count })
}
