import { ArrowRight, MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { type ArticleView, NEWS_PATH } from '#src/contract/news.ts'
import { type LatestThread, threadPath } from '#src/contract/thread.ts'
import { rich, t } from '#src/i18n/t.ts'
import { hueOf } from '#src/lib/hueOf.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './HomeLists.module.css'
import { ArticleRow } from './Suggestions.tsx'

const hidden = (text: ReactNode) => <span className="visually-hidden">{text}</span>

/** Shows the newest thread with an image first. `threads` is null if loading them failed. */
export function LatestThreads({ threads }: { threads: LatestThread[] | null }) {
  const lead = threads?.find(({ picture }) => picture)
  return (
    <HomeSection
      id="latest-threads"
      title={t('site.latestThreads')}
      more={{ label: t('ui.allBoards'), href: '/dtpchan' }}
    >
      {threads === null ? (
        <Alert>{t('board.loadThreads')}</Alert>
      ) : threads.length === 0 ? (
        <EmptyState
          hint={t('site.firstPostHint')}
          action={
            <ButtonLink variant="primary" href="/dtpchan">
              {t('site.writeFirstPost')}
            </ButtonLink>
          }
        >
          {t('board.noThreads')}
        </EmptyState>
      ) : (
        <ol className={cx('ruled', styles.log)}>
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
    <a className={cx('clamp stretched', styles.title)} href={threadPath(boardId, id)} dir="auto">
      {thread.title}
    </a>
  )
  return (
    <li className={cx(styles.row, image && styles.lead)}>
      <span className={cx('ellipsis', styles.slug)} data-hue={hueOf(boardId)} title={`/${boardId}/`} translate="no">
        /{boardId}/
      </span>{' '}
      {image ? (
        <div className={styles.text}>
          {title}
          <p className={cx('clamp', styles.excerpt)} dir="auto">
            {thread.excerpt}
          </p>
        </div>
      ) : (
        title
      )}
      <p className={cx('data', styles.meta)}>
        {image && (
          <span className={cx('ellipsis', styles.author)}>
            {rich('site.threadAuthor', { hidden, nick: () => <Nick name={thread.author} /> })}
          </span>
        )}{' '}
        <span className={styles.comments}>
          <MessageSquare className="icon icon-s" />
          {rich('site.commentCount', { count: commentCount, hidden })}
        </span>{' '}
        <RelativeTime date={thread.lastActivity} />
      </p>
      {image && (
        <img
          src={image.url}
          width={image.width}
          height={image.height}
          alt={t('ui.attachedTo', { id })}
          loading="lazy"
          decoding="async"
        />
      )}
    </li>
  )
}

/** `articles` is null if loading them failed. */
export function LatestNews({ articles }: { articles: ArticleView[] | null }) {
  return (
    <HomeSection id="latest-news" title={t('site.latestNews')} more={{ label: t('site.allNews'), href: NEWS_PATH }}>
      {articles === null ? (
        <Alert>{t('news.failed')}</Alert>
      ) : articles.length === 0 ? (
        <EmptyState hint={t('news.noneHint')}>{t('news.none')}</EmptyState>
      ) : (
        <ol className="ruled link-rows">
          {articles.map((article) => (
            <ArticleRow key={article.id} {...article} />
          ))}
        </ol>
      )}
    </HomeSection>
  )
}

type HomeSectionProps = {
  id: string
  title: string
  more: { label: string; href: string }
  children: ReactNode
}

function HomeSection({ id, title, more, children }: HomeSectionProps) {
  return (
    <section aria-labelledby={id}>
      <div className={`spread ${styles.head}`}>
        <h2 className="h3" id={id}>
          {title}
        </h2>
        <ButtonLink variant="text" href={more.href}>
          {more.label}
          <ArrowRight className="icon icon-s" />
        </ButtonLink>
      </div>
      {children}
    </section>
  )
}
