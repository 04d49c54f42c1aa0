import type { BanView } from '#src/contract/bans.ts'
import type { PosterPost } from '#src/contract/queue.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { banFacts } from './banFacts.tsx'
import styles from './QueueItem.module.css'

/** Shows an appeal, the ban, and what the poster wrote. */
export function QueueAppeal({ ban, posts }: { ban: BanView; posts: PosterPost[] }) {
  return (
    <>
      <section className={`panel ${styles.post}`} aria-label={t('field.appeal')}>
        <p className={styles.text}>{ban.appeal}</p>
      </section>
      <div className={styles.reasons}>
        <p className={styles.text}>{ban.reason}</p>
        <Facts facts={banFacts(ban)} />
      </div>
      <section className={styles.posts} aria-label={t('moderation.fieldPost')}>
        <h3 className="label">{t('moderation.latestPosts')}</h3>
        {posts.length === 0 && <p className="hint">{t('moderation.noKnownPosts')}</p>}
        <ul>
          {posts.map(({ id, boardId, threadId, author, excerpt, createdAt, isRemoved }) => (
            <li key={id}>
              <p className="cluster">
                <Nick name={author} />
                <span className="data">
                  {isRemoved ? (
                    t('ui.postNumber', { id })
                  ) : (
                    <a href={`${threadPath(boardId, threadId)}#p${id}`}>{t('ui.postNumber', { id })}</a>
                  )}{' '}
                  · /{boardId}/ · <RelativeTime date={createdAt} />
                  {isRemoved && ` · ${t('moderation.removed')}`}
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
