import { useSite } from './site.tsx'
import styles from './Wordmark.module.css'

export function Wordmark() {
  const { name } = useSite()
  return (
    <a className={styles.wordmark} href="/">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M1 9h3v6H1zM5.75 5h3v14h-3zM10.5 1h3v22h-3zM15.25 7h3v10h-3zM20 10h3v4h-3z" />
      </svg>
      {name}
    </a>
  )
}
