import { boardLimits } from '#src/contract/board.ts'
import type { PostRef } from '#src/contract/post.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { apart } from '#src/ui/Apart.tsx'
import styles from './Backlinks.module.css'

export function Backlinks({ quotedBy, threadId }: { quotedBy: PostRef[]; threadId: number | undefined }) {
  if (quotedBy.length === 0) return null
  return (
    <span className={styles.backlinks}>
      <span className="visually-hidden">{t('board.quotedBy')}</span>{' '}
      {apart(
        quotedBy.map((post) => {
          const page = post.threadId === threadId ? '' : threadPath(post.boardId, post.threadId)
          return (
            <a key={post.id} href={`${page}#p${post.id}`}>
              {`>>${post.id}`}
            </a>
          )
        }),
      )}
      {quotedBy.length >= boardLimits.quotedBy && <span>{t('board.andMore')}</span>}
    </span>
  )
}
