import type { PostView } from '#src/contract/board.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './postList.module.css'

type PostGutterProps = { post: Pick<PostView, 'id' | 'author' | 'createdAt'>; href: string }

export function PostGutter({ post, href }: PostGutterProps) {
  return (
    <header className={styles.gutter}>
      <Nick name={post.author} />
      <Time date={post.createdAt} className="data" />
      <span className="data">
        <a className={styles.number} href={href}>
          {`No. ${post.id}`}
        </a>
      </span>
    </header>
  )
}
