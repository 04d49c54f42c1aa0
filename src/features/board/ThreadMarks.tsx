import type { ThreadView } from '#src/contract/board.ts'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import styles from './ThreadMarks.module.css'

/** Shows whether a thread is pinned or locked. */
export function ThreadMarks({ thread: { pinned, locked } }: { thread: Pick<ThreadView, 'pinned' | 'locked'> }) {
  if (!pinned && !locked) return null
  return (
    <p className={styles.marks}>
      {pinned && (
        <span>
          <SpriteIcon name="pinned" />
          Pinned
        </span>
      )}
      {locked && (
        <span>
          <SpriteIcon name="locked" />
          Locked
        </span>
      )}
    </p>
  )
}

export function LockedNotice() {
  return (
    <p className={styles.notice}>
      <SpriteIcon name="locked" />
      This thread is locked. It takes no new comments.
    </p>
  )
}
