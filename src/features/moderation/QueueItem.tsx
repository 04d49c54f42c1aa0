import { ExternalLink } from 'lucide-react'
import { type ReportedItem, reportReasons } from '#src/contract/reports.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { QueueContent } from './QueueContent.tsx'
import styles from './QueueScreen.module.css'

export function QueueItem({ item }: { item: ReportedItem }) {
  const { path, reports, count, content } = item
  return (
    <article className={styles.item} aria-labelledby="queue-title">
      <header className={styles.head}>
        <h2 className={styles.title} id="queue-title">
          {titleOf(item)}
        </h2>
        {path && (
          <ButtonLink size="small" href={path} target="_blank" rel="noopener">
            <ExternalLink className="icon icon-s" />
            Open
          </ButtonLink>
        )}
      </header>
      <ul className={styles.reports} aria-label="Reports">
        {reports.map(({ id, reason, text, createdAt }) => (
          <li key={id}>
            <span className={styles.reason}>
              <Tag>{reportReasons[reason]}</Tag>
              <span className="data">
                <RelativeTime date={createdAt} />
              </span>
            </span>
            {text && <p className={styles.text}>{text}</p>}
          </li>
        ))}
        {count > reports.length && <li className="hint">and {count - reports.length} more</li>}
      </ul>
      <section className={`panel ${styles.content}`} aria-label="Reported item">
        {content ? <QueueContent content={content} /> : <p>{goneText(item)}</p>}
      </section>
    </article>
  )
}

function titleOf({ kind, content, boardId }: ReportedItem): string {
  if (content?.kind === 'post') {
    const what = content.post.id === content.threadId ? 'Thread' : 'Post in'
    return `${what} “${content.title}”, /${content.boardId}/`
  }
  if (kind === 'post') return boardId ? `Post on /${boardId}/` : 'Post'
  return { paste: 'Paste', image: 'Shared image', program: 'Program' }[kind]
}

/** Without its URL, a paste cannot be opened, for example after a restore with another secret. */
const goneText = ({ kind }: ReportedItem) =>
  kind === 'paste'
    ? 'This paste is gone, or its URL is not known any more.'
    : 'It is not there any more: somebody deleted it.'
