import { MessageSquare } from 'lucide-react'
import { boardMessages, type LatestThread } from '#src/contract/board.ts'
import { threadPath } from '#src/contract/boardPaths.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { hueOf, Nick } from '#src/ui/Nick.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { HomeSection } from './HomeSection.tsx'
import styles from './LatestThreads.module.css'

/** The newest thread with an image comes first. `threads` is null if they could not be loaded. */
export function LatestThreads({ threads }: { threads: LatestThread[] | null }) {
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
          {withLeadFirst(threads).map((thread, index) => {
            const href = threadPath(thread.boardId, thread.id)
            return index === 0 && thread.picture ? (
              <LeadThread key={thread.id} thread={thread} picture={thread.picture} href={href} />
            ) : (
              <ThreadRow key={thread.id} thread={thread} href={href} />
            )
          })}
        </ol>
      )}
    </HomeSection>
  )
}

function withLeadFirst(threads: LatestThread[]): LatestThread[] {
  const lead = threads.find(({ picture }) => picture)
  return lead ? [lead, ...threads.filter((thread) => thread !== lead)] : threads
}

type RowProps = { thread: LatestThread; href: string }

function ThreadRow({ thread, href }: RowProps) {
  return (
    <li className={styles.row}>
      <BoardSlug boardId={thread.boardId} />
      <a className={styles.title} href={href} dir="auto">
        {thread.title}
      </a>
      <p className={styles.meta}>
        <CommentCount count={thread.commentCount} />
        <RelativeTime date={thread.lastActivity} />
      </p>
    </li>
  )
}

function LeadThread({ thread, picture, href }: RowProps & { picture: NonNullable<LatestThread['picture']> }) {
  return (
    <li className={`${styles.row} ${styles.lead}`}>
      <BoardSlug boardId={thread.boardId} />
      <div className={styles.text}>
        <a className={styles.title} href={href} dir="auto">
          {thread.title}
        </a>
        <p className={styles.excerpt} dir="auto">
          {thread.excerpt}
        </p>
      </div>
      <p className={styles.meta}>
        <span className={styles.author}>
          <span className="visually-hidden">by </span>
          <Nick name={thread.author} />
        </span>
        <CommentCount count={thread.commentCount} />
        <RelativeTime date={thread.lastActivity} />
      </p>
      <img
        src={picture.url}
        width={picture.width}
        height={picture.height}
        alt={`Attached to No. ${thread.id}`}
        loading="lazy"
        decoding="async"
      />
    </li>
  )
}

function BoardSlug({ boardId }: { boardId: string }) {
  return (
    <span className={styles.slug} data-hue={hueOf(boardId)} title={`/${boardId}/`}>
      /{boardId}/
    </span>
  )
}

function CommentCount({ count }: { count: number }) {
  return (
    <span className={styles.comments}>
      <MessageSquare className="icon icon-s" />
      {count}
      <span className="visually-hidden"> {count === 1 ? 'comment' : 'comments'}</span>
    </span>
  )
}
