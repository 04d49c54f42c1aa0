import type { PostView } from '#src/contract/post.ts'
import styles from '#src/features/board/lists/postList.module.css'
import { t } from '#src/i18n/t.ts'
import { Apart } from '#src/ui/Apart.tsx'
import { hueOf, Nick } from '#src/ui/Nick.tsx'

/** Lists of threads know only the author. */
type PostAuthorProps = {
  post: Pick<PostView, 'author'> & Partial<Pick<PostView, 'tripcode' | 'capcode' | 'posterLabel' | 'sage'>>
}

/** Shows who wrote a post, and whether it bumped its thread. Add every shown field to commentKey.ts. */
export function PostAuthor({ post: { author, tripcode, capcode, posterLabel, sage } }: PostAuthorProps) {
  return (
    <>
      {author && <Nick name={author} />}{' '}
      {tripcode && (
        <Apart>
          <span className={styles.code}>{tripcode}</span>
        </Apart>
      )}
      {capcode && (
        <Apart>
          <span className={styles.capcode}>
            {capcode === 'admin' ? t('board.capcodeAdmin') : t('board.capcodeMod')}
          </span>
        </Apart>
      )}
      {posterLabel && (
        <Apart>
          <span className={styles.code} data-hue={hueOf(posterLabel)}>
            {t('board.posterId', { id: posterLabel })}
          </span>
        </Apart>
      )}
      {sage && (
        <Apart>
          <span className="data">{t('board.sage')}</span>
        </Apart>
      )}
    </>
  )
}
