import type { ThreadView } from '#src/contract/board.ts'
import styles from './ThreadMarks.module.css'

/** Shows whether a thread is pinned or locked. */
export function ThreadMarks({ thread: { pinned, locked } }: { thread: Pick<ThreadView, 'pinned' | 'locked'> }) {
  if (!pinned && !locked) return null
  return (
    <p className={styles.marks}>
      {pinned && <span>Pinned</span>} {locked && <span>Locked</span>}
    </p>
  )
}
