import type { Overview } from '#src/contract/operations.ts'
import { t } from '#src/i18n/t.ts'
import { padTwo } from '#src/lib/formatTime.ts'
import styles from './PostsPerHour.module.css'

/** Draws the posts of the last 24 hours as levels of ticks, in the visitor's time zone. */
export function PostsPerHour({ posts }: Pick<Overview, 'posts'>) {
  const max = Math.max(...posts.map(({ count }) => count), 1)
  const total = posts.reduce((sum, { count }) => sum + count, 0)
  return (
    <div>
      <p className="data">{t('admin.postsInDay', { total, max })}</p>
      <ol className={styles.hours} aria-label={t('admin.postsPerHour')}>
        {posts.map(({ hour, count }, index) => (
          <li key={hour.getTime()} title={`${padTwo(hour.getHours())}:00: ${count}`}>
            <div className={styles.track}>
              <div
                className={styles.level}
                data-now={index === posts.length - 1 || undefined}
                data-none={count === 0 || undefined}
                ref={(element) => element?.style.setProperty('--level', `${(count / max) * 100}%`)}
              />
            </div>
            <span className={index % 6 === 5 ? styles.label : 'visually-hidden'}>
              {padTwo(hour.getHours())}:00<span className="visually-hidden">: {count}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
