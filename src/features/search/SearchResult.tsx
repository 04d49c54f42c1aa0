import { boardPath } from '#src/contract/board.ts'
import type { SearchHit } from '#src/contract/search.ts'
import type { Term } from '#src/contract/searchQuery.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { splitMatches } from '#src/lib/highlight.ts'
import { cx } from '#src/ui/cx.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './search.module.css'

const THUMBNAIL = { width: 160, height: 120 }

export function SearchResult({ hit, terms }: { hit: SearchHit; terms: Term[] }) {
  const { boardId, threadId, postId, picture } = hit
  return (
    <li className={styles.hit}>
      <article aria-labelledby={`hit-${postId}`}>
        <header className={`cluster ${styles.head}`}>
          <Tag href={boardPath(boardId)}>/{boardId}/</Tag>
          <Nick name={hit.author} />{' '}
          <span className={cx('data', styles.when)}>
            <Time date={hit.createdAt} /> {t('ui.postNumber', { id: postId })}
          </span>
        </header>
        <h3 className={styles.title} id={`hit-${postId}`}>
          <a className="stretched" href={`${threadPath(boardId, threadId)}#p${postId}`}>
            <Marked text={hit.title} terms={terms} />
          </a>
        </h3>
        <p className={styles.excerpt}>
          <Marked text={hit.excerpt} terms={terms} />
        </p>
        {hit.spoiler && <p className="hint">{t('search.spoilerPicture')}</p>}
      </article>
      {picture && (
        <img
          className={styles.image}
          src={picture.url}
          {...fitInside(picture, THUMBNAIL)}
          alt={t('ui.attachedTo', { id: postId })}
          loading="lazy"
          decoding="async"
        />
      )}
    </li>
  )
}

function Marked({ text, terms }: { text: string; terms: Term[] }) {
  return splitMatches(text, terms).map(({ text: part, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their places
    isMatch ? <mark key={index}>{part}</mark> : part,
  )
}
