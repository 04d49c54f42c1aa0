import styles from './Live.module.css'

/** Somebody is live on air. */
export function Live({ host }: { host: string | null }) {
  if (host === null) return null
  return (
    <span className={styles.live}>
      <b>Live</b>
      {host && <bdi>{host}</bdi>}
    </span>
  )
}
