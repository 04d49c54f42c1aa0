import type { ReactNode } from 'react'
import styles from './SpoilerCover.module.css'

/** Covers an image until the reader uncovers it. A checkbox does this without scripts. */
export function SpoilerCover({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.cover}>
      {children}
      <span className={styles.lid}>
        <input type="checkbox" autoComplete="off" aria-label={`Show the spoiler image of ${name}`} />
        <span aria-hidden="true">Spoiler</span>
      </span>
    </div>
  )
}
