import type { PostView } from '#src/contract/board.ts'
import { t } from '#src/i18n/t.ts'
import { hueOf, Nick } from '#src/ui/Nick.tsx'
import styles from './postList.module.css'

/** Lists of threads know only the author. */
type PostAuthorProps = { post: Pick<PostView, 'author'> & Partial<Pick<PostView, 'tripcode' | 'posterLabel' | 'sage'>> }

/** Shows who wrote a post, and whether it bumped its thread. Add every shown field to commentKey.ts. */
export function PostAuthor({ post: { author, tripcode, posterLabel, sage } }: PostAuthorProps) {
  return (
    <>
      <Nick name={author} />
      {tripcode && <span className={styles.code}>{tripcode}</span>}
      {posterLabel && (
        <span className={styles.code} data-hue={hueOf(posterLabel)}>
          {t('board.posterId', { id: posterLabel })}
        </span>
      )}
      {sage && <span className="data">{t('board.sage')}</span>}
    </>
  )
}
