import type { ReactNode } from 'react'
import '#src/features/board/post/post.css'
import { t } from '#src/i18n/t.ts'

/** Covers an image until the reader uncovers it. A checkbox does this without scripts. */
export function SpoilerCover({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="cover">
      {children}
      <span className="lid">
        <input type="checkbox" autoComplete="off" aria-label={t('board.showSpoiler', { name })} />
        <span aria-hidden="true">{t('board.spoiler')}</span>
      </span>
    </div>
  )
}
