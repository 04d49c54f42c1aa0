import { useEffect, useRef } from 'react'
import type { ArticlePage } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'
import { ChipLink } from '#src/ui/Chip.tsx'
import { newsPath } from './newsPath.ts'
import styles from './SourceChips.module.css'

type SourceChipsProps = Pick<ArticlePage, 'sources' | 'sourceTitles'> & { current: string | null }

export function SourceChips({ sources, sourceTitles, current }: SourceChipsProps) {
  const row = useRef<HTMLUListElement>(null)

  // Scrolls the row, but not the page, to the chosen chip: on a phone, the row is wider than the screen.
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>(current === null ? 'li' : 'li:has([aria-current])')
    if (row.current && chosen) row.current.scrollLeft = chosen.offsetLeft - row.current.clientWidth / 3
  }, [current])

  return (
    <nav aria-label={t('news.sources')}>
      <ul ref={row} className={styles.chips}>
        {[null, ...sources].map((source) => (
          <li key={source}>
            <ChipLink href={newsPath({ source, page: 1 })} aria-current={source === current ? 'true' : undefined}>
              {source === null ? t('news.allSources') : <span className="mono">{sourceTitles[source] ?? source}</span>}
            </ChipLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
