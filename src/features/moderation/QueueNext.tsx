import type { QueueItem } from '#src/contract/queue.ts'
import { t } from '#src/i18n/t.ts'
import styles from './QueueScreen.module.css'
import { boardOf, kindLabels, summaryOf } from './queueTexts.ts'

/** Lists the items that come next, for wide screens. */
export function QueueNext({ items, onChoose }: { items: QueueItem[]; onChoose: (item: QueueItem) => void }) {
  return (
    <aside className={styles.next} aria-labelledby="queue-next">
      <h2 className="label" id="queue-next">
        {t('moderation.next')}
      </h2>
      <ol>
        {items.map((item) => (
          <li key={item.cursor}>
            <button type="button" onClick={() => onChoose(item)}>
              <span className={styles.summary}>{summaryOf(item)}</span>
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
