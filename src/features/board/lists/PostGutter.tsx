import type { ListedThread } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './postList.module.css'

type PostGutterProps = { post: Pick<ListedThread, 'id' | 'author' | 'createdAt'>; href: string }

export function PostGutter({ post: { id, author, createdAt }, href }: PostGutterProps) {
  return (
    <header className="gutter">
      {author && <Nick name={author} />} <Time date={createdAt} className="data" />{' '}
      <span className="data">
        <a className={styles.number} href={href}>
          {t('ui.postNumber', { id })}
        </a>
      </span>
    </header>
  )
}
