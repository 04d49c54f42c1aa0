import { useSite } from '#src/ui/site.ts'
import styles from './Wordmark.module.css'

export function Wordmark() {
  const { name } = useSite()
  return (
    <a className={styles.wordmark} href="/" data-wordmark="">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M1 8h3v8H1zM7 2h3v14H7zM13 8h3v14h-3zM19 8h3v8h-3z" />
      </svg>
      {name}
    </a>
  )
}
