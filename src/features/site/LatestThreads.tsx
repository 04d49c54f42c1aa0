import { MessageSquare } from 'lucide-react'
import { boardMessages, type LatestThread } from '#src/contract/board.ts'
import { threadPath } from '#src/contract/boardPaths.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { hueOf, Nick } from '#src/ui/Nick.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { HomeSection } from './HomeSection.tsx'
import styles from './LatestThreads.module.css'

/** Shows the newest thread with an image first. `threads` is null if loading them failed. */
export function LatestThreads({ threads }: { threads: LatestThread[] | null }) {
  const lead = threads?.find(({ picture }) => picture)
  return (
    <HomeSection id="latest-threads" title="Latest threads" more={{ label: 'All boards', href: '/dtpchan' }}>
      {threads === null ? (
        <Alert>{boardMessages.loadThreads}</Alert>
      ) : threads.length === 0 ? (
        <EmptyState action={<ButtonLink href="/dtpchan">Open the boards</ButtonLink>}>
          {boardMessages.noThreads}
        </EmptyState>
      ) : (
        <ol className={styles.log}>
          {lead && <ThreadRow thread={lead} image={lead.picture} />}
          {threads.map((thread) => thread !== lead && <ThreadRow key={thread.id} thread={thread} image={null} />)}
        </ol>
      )}
    </HomeSection>
  )
}

/** @param image set only for the lead thread; its row also shows author and excerpt */
function ThreadRow({ thread, image }: { thread: LatestThread; image: LatestThread['picture'] }) {
  const { id, boardId, commentCount } = thread
  const title = (
    <a className={styles.title} href={threadPath(boardId, id)} dir="auto">
      {thread.title}
    </a>
  )
  return (
    <li className={cx(styles.row, image && styles.lead)}>
      <span className={styles.slug} data-hue={hueOf(boardId)} title={`/${boardId}/`}>
        /{boardId}/
      </span>
      {image ? (
        <div className={styles.text}>
          {title}
          <p className={styles.excerpt} dir="auto">
            {thread.excerpt}
          </p>
        </div>
      ) : (
        title
      )}
      <p className={styles.meta}>
        {image && (
          <span className={styles.author}>
            <span className="visually-hidden">by </span>
            <Nick name={thread.author} />
          </span>
        )}
        <span className={styles.comments}>
          <MessageSquare className="icon icon-s" />
          {commentCount}
          <span className="visually-hidden"> {commentCount === 1 ? 'comment' : 'comments'}</span>
        </span>
        <RelativeTime date={thread.lastActivity} />
      </p>
      {image && (
        <img
          src={image.url}
          width={image.width}
          height={image.height}
          alt={`Attached to No. ${id}`}
          loading="lazy"
          decoding="async"
        />
      )}
    </li>
  )
}
