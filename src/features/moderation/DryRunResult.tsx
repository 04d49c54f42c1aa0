import type { RefObject } from 'react'
import { threadPath } from '#src/contract/boardPaths.ts'
import { type FilterDryRun, filterLimits } from '#src/contract/filters.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './FilterDialog.module.css'

type DryRunResultProps = { result: FilterDryRun; heading: RefObject<HTMLHeadingElement | null> }

/** Shows the posts of the last week that a filter would have caught. */
export function DryRunResult({ result: { count, posts, checked, complete }, heading }: DryRunResultProps) {
  const scope = complete ? 'the last week' : 'the newest posts, because the last week has too many'
  return (
    <section className={styles.result}>
      <h3 ref={heading} tabIndex={-1}>
        {count === 0 ? 'Would have caught nothing' : `Would have caught ${count} of ${checked} posts`}
      </h3>
      <p className="hint">
        {`Checked ${checked} posts of ${scope}, removed ones too. Pastes are encrypted, so they are not checked.`}
        {count > posts.length && ` These are the newest ${filterLimits.dryRunPosts}.`}
      </p>
      {posts.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll the list
        <ul className={styles.posts} aria-label="Caught posts" tabIndex={0}>
          {posts.map(({ id, boardId, threadId, author, excerpt, createdAt, withheld }) => (
            <li key={id}>
              <p className={styles.meta}>
                <Nick name={author} />
                {withheld ? (
                  <span className="data">{`/${boardId}/ No. ${id}, not public`}</span>
                ) : (
                  <a className="data" href={`${threadPath(boardId, threadId)}#p${id}`} target="_blank" rel="noopener">
                    {`/${boardId}/ No. ${id}`}
                  </a>
                )}
                <Time className="data" date={createdAt} />
              </p>
              <p>{excerpt}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
