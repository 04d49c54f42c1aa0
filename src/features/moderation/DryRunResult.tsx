import type { RefObject } from 'react'
import { type FilterDryRun, type FilteredPost, filterLimits } from '#src/contract/filters.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './moderation.module.css'

type DryRunResultProps = { result: FilterDryRun; heading: RefObject<HTMLHeadingElement | null> }

/** Shows the posts of the last week that a filter would have caught. */
export function DryRunResult({ result, heading }: DryRunResultProps) {
  const { count, posts, inLinks, linkPosts, checked, complete } = result
  return (
    <section className={styles.result}>
      <h3 ref={heading} tabIndex={-1}>
        {t('moderation.wouldCatch', { count, checked })}
      </h3>
      <p className="hint">
        {complete ? t('moderation.dryRunWeek', { checked }) : t('moderation.dryRunNewest', { checked })}
        {count > posts.length && ` ${t('moderation.dryRunExcerpt', { count: filterLimits.dryRunPosts })}`}
      </p>
      <FilteredPosts posts={posts} label={t('moderation.caughtPosts')} />
      {inLinks > 0 && <p className="hint">{t('moderation.dryRunInLinks', { count: inLinks })}</p>}
      <FilteredPosts posts={linkPosts} label={t('moderation.postsWithLinks')} />
    </section>
  )
}

function FilteredPosts({ posts, label }: { posts: FilteredPost[]; label: string }) {
  if (posts.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll the list
    <ul className={styles.posts} aria-label={label} tabIndex={0}>
      {posts.map(({ id, boardId, threadId, author, authorAfter, excerpt, after, createdAt, withheld }) => (
        <li key={id}>
          <p className="cluster">
            <Nick name={author} />
            {withheld ? (
              <span className="data">{t('moderation.boardPostWithheld', { boardId, id })}</span>
            ) : (
              <a className="data" href={`${threadPath(boardId, threadId)}#p${id}`} target="_blank" rel="noopener">
                {t('board.threadPlace', { board: boardId, id })}
              </a>
            )}
            <Time className="data" date={createdAt} />
          </p>
          <p>{excerpt}</p>
          {authorAfter !== undefined && <p>{t('moderation.filterAfter', { text: authorAfter })}</p>}
          {after !== undefined && after !== excerpt && <p>{t('moderation.filterAfter', { text: after })}</p>}
        </li>
      ))}
    </ul>
  )
}
