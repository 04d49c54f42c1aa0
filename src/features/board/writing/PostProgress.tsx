import { t } from '#src/i18n/t.ts'
import { Progress } from '#src/ui/Progress.tsx'
import styles from './PostDialog.module.css'
import type { Post } from './usePost.ts'

/** Shows how much of a post with pictures is sent. */
export const PostProgress = ({ post: { progress, chosen } }: { post: Post }) =>
  progress !== null &&
  chosen.images.length > 0 && (
    <Progress className={styles.progress} value={progress} aria-label={t('board.uploadProgress')} />
  )
