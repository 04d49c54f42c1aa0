import type { ReactNode } from 'react'
import type { ShownThread } from '#src/contract/thread.ts'
import { CommentButton } from '#src/features/board/writing/PostFormLink.tsx'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { apart } from '#src/ui/Apart.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './ThreadScreen.module.css'

const MAX_NAMES = 24

type ThreadAsideProps = Pick<ShownThread, 'thread' | 'images' | 'authors'> & {
  takesPosts: boolean
}

export function ThreadAside({ thread, images, authors, takesPosts }: ThreadAsideProps) {
  const facts: [label: string, value: ReactNode][] = [
    [t('board.comments'), formatNumber(thread.commentCount)],
    [t('board.replies'), formatNumber(thread.replyCount)],
    [t('board.images'), formatNumber(images)],
    [t('board.lastActivity'), <RelativeTime key="active" date={thread.lastActivity} />],
  ]
  return (
    <aside className={styles.aside} aria-label={t('board.aboutThread')}>
      <div>
        <h2 className="label">{t('board.thisThread')}</h2>
        <dl>
          {facts.map(([label, value]) => (
            <div key={label} className="spread small">
              <dt>{label}</dt>
              <dd className="data">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div>
        <h2 className="label">{t('board.takingPart')}</h2>
        <p className="cluster">
          {apart(authors.slice(0, MAX_NAMES).map((author) => <Nick key={author} name={author} />))}
          {authors.length > MAX_NAMES && (
            <span className="data">{t('board.andOthers', { count: authors.length - MAX_NAMES })}</span>
          )}
        </p>
      </div>
      {takesPosts && <CommentButton boardId={thread.boardId} threadId={thread.id} />}
    </aside>
  )
}
