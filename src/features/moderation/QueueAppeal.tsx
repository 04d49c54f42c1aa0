import type { BanView } from '#src/contract/bans.ts'
import { threadPath } from '#src/contract/boardPaths.ts'
import type { PosterPost } from '#src/contract/queue.ts'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { banFacts } from './banFacts.tsx'
import styles from './QueueItem.module.css'

/** Shows an appeal, the ban, and what the poster wrote. */
export function QueueAppeal({ ban, posts }: { ban: BanView; posts: PosterPost[] }) {
  return (
    <>
      <div className={styles.reasons}>
        <p className={styles.text}>{ban.reason}</p>
        <Facts facts={banFacts(ban)} />
      </div>
      <section className={`panel ${styles.post}`} aria-label="Appeal">
        <p className={styles.text}>{ban.appeal}</p>
      </section>
      <section className={styles.posts} aria-label="Posts">
        <h3 className="label">Latest posts by this poster</h3>
        {posts.length === 0 && <p className="hint">None are known any more.</p>}
        <ul>
          {posts.map(({ id, boardId, threadId, author, excerpt, createdAt, isRemoved }) => (
            <li key={id}>
              <p className={styles.by}>
                <Nick name={author} />
                <span className="data">
                  {isRemoved ? `No. ${id}` : <a href={`${threadPath(boardId, threadId)}#p${id}`}>No. {id}</a>} · /
                  {boardId}/ · <RelativeTime date={createdAt} />
                  {isRemoved && ' · removed'}
                </span>
              </p>
              <p className={styles.text}>{excerpt}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
