import type { ComponentProps } from 'react'
import type { PostView } from '#src/contract/post.ts'
import styles from '#src/features/board/lists/postList.module.css'
import { PostAuthor } from '#src/features/board/post/PostAuthor.tsx'
import { t } from '#src/i18n/t.ts'
import { Time } from '#src/ui/Time.tsx'

type PostGutterProps = ComponentProps<typeof PostAuthor> & {
  post: Pick<PostView, 'id' | 'createdAt'>
  href: string
}

export function PostGutter({ post, href }: PostGutterProps) {
  return (
    <header className={styles.gutter}>
      <PostAuthor post={post} />
      <Time date={post.createdAt} className="data" />{' '}
      <span className="data">
        <a className={styles.number} href={href}>
          {t('ui.postNumber', { id: post.id })}
        </a>
      </span>
    </header>
  )
}
