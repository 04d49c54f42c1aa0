import styles from './Songs.module.css'

/** Shows title and artist of a track. */
export function TrackName({ artist, title }: { artist: string; title: string }) {
  return (
    <span className={styles.track} dir="auto">
      <bdi className={styles.title}>{title}</bdi>
      {artist && <bdi className="small">{artist}</bdi>}
    </span>
  )
}
