import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BanView } from '#src/contract/bans.ts'
import type { QueueItem as Item, PosterPost } from '#src/contract/queue.ts'
import type { ReportedItem } from '#src/contract/reports.ts'
import { threadPath } from '#src/contract/thread.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { RelativeTime, Time } from '#src/ui/Time.tsx'
import { banFacts } from './banFacts.tsx'
import { QueueContent } from './QueueContent.tsx'
import styles from './QueueItem.module.css'
import { CoveredPicture, HeldPicture } from './QueuePicture.tsx'
import { QueuePost } from './QueuePost.tsx'
import { boardOf, kindLabels, placeOf, titleOf, whyOf } from './queueTexts.ts'
import { reasonTexts } from './reasonTexts.ts'

/** Shows an item: where it is, why it waits, and what it is. */
export function QueueItem({ item }: { item: Item }) {
  const path = pathOf(item)
  const boardId = boardOf(item)
  const why = whyOf(item)
  const releaseAt = item.kind === 'held' ? item.post.releaseAt : null
  return (
    <article className={`stack ${styles.item}`} aria-labelledby="queue-title">
      <header className={`spread ${styles.head}`}>
        <div>
          <p className={`cluster ${styles.meta}`}>
            <span className="label">{kindLabels[item.kind]()}</span>
            {why !== '' && <strong>{why}</strong>}
            <span className="data">
              {(boardId !== null || item.kind === 'appeal') && `${placeOf(boardId)} · `}
              <RelativeTime date={item.since} />
              {releaseAt && <> · {rich('moderation.releases', { time: () => <Time date={releaseAt} /> })}</>}
            </span>
          </p>
          <h2 className={`h3 ${styles.title}`} id="queue-title">
            {titleOf(item)}
          </h2>
        </div>
        {path && (
          <ButtonLink size="small" href={path} target="_blank" rel="noopener">
            <ExternalLink className="icon icon-s" />
            {t('paste.open')}
          </ButtonLink>
        )}
      </header>
      <Body item={item} />
    </article>
  )
}

function Body({ item }: { item: Item }) {
  if (item.kind === 'appeal') return <QueueAppeal ban={item.ban} posts={item.posts} />
  if (item.kind === 'held') {
    const { post } = item
    return (
      <Content label={t('moderation.heldPost')}>
        <QueuePost post={post} label={post.label} context={post.context}>
          {post.hasImage && (
            <CoveredPicture>
              {Array.from({ length: post.imageCount }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the number of a picture
                <HeldPicture key={index} postId={post.id} number={index + 1} />
              ))}
            </CoveredPicture>
          )}
        </QueuePost>
      </Content>
    )
  }
  const { reports, count, content, label } = item.report
  // The head names the reasons. Here, a reason says which of them a text belongs to.
  const isMixed = new Set(reports.map(({ reason }) => reason)).size > 1
  const explained = reports.filter(({ text }) => text)
  const more = count - reports.length
  return (
    <>
      <Content label={t('moderation.reportedItem')}>
        {content ? <QueueContent content={content} label={label} /> : <p>{goneText(item.report)}</p>}
      </Content>
      {(explained.length > 0 || more > 0) && (
        <ul className={styles.reasons} aria-label={t('moderation.reportedAs')}>
          {explained.map(({ id, reason, text, createdAt }) => (
            <li key={id}>
              <p className={styles.text}>{text}</p>
              <p className="data">
                {isMixed && `${reasonTexts[reason]()} · `}
                <RelativeTime date={createdAt} />
              </p>
            </li>
          ))}
          {more > 0 && <li className="hint">{t('board.andOthers', { count: more })}</li>}
        </ul>
      )}
    </>
  )
}

function Content({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={`panel ${styles.content}`} aria-label={label}>
      {children}
    </section>
  )
}

function pathOf(item: Item): string | null {
  if (item.kind === 'report') return item.report.path
  if (item.kind === 'appeal') return null
  const { id, boardId, threadId, threadTitle } = item.post
  return id === threadId || threadTitle === null ? null : threadPath(boardId, threadId)
}

/** Without its URL, a paste cannot be opened, for example after a restore with another secret. */
const goneText = ({ kind }: ReportedItem) =>
  kind === 'paste' ? t('moderation.pasteGone') : t('moderation.contentGone')

/** Shows an appeal, the ban, and what the poster wrote. */
function QueueAppeal({ ban, posts }: { ban: BanView; posts: PosterPost[] }) {
  return (
    <>
      <section className={`panel ${styles.post}`} aria-label={t('field.appeal')}>
        <p className={styles.text}>{ban.appeal}</p>
      </section>
      <div className={styles.reasons}>
        <p className={styles.text}>{ban.reason}</p>
        <Facts facts={banFacts(ban)} />
      </div>
      <section className={styles.posts} aria-label={t('moderation.fieldPost')}>
        <h3 className="label">{t('moderation.latestPosts')}</h3>
        {posts.length === 0 && <p className="hint">{t('moderation.noKnownPosts')}</p>}
        <ul>
          {posts.map(({ id, boardId, threadId, author, excerpt, createdAt, isRemoved }) => (
            <li key={id}>
              <p className="cluster">
                <Nick name={author} />
                <span className="data">
                  {isRemoved ? (
                    t('ui.postNumber', { id })
                  ) : (
                    <a href={`${threadPath(boardId, threadId)}#p${id}`}>{t('ui.postNumber', { id })}</a>
                  )}{' '}
                  · /{boardId}/ · <RelativeTime date={createdAt} />
                  {isRemoved && ` · ${t('moderation.removed')}`}
                </span>
              </p>
              <p className={styles.text}>{excerpt}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
