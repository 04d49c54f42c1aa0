import { CornerDownRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PostContext } from '#src/contract/moderation.ts'
import type { Byline } from '#src/contract/post.ts'
import { t } from '#src/i18n/t.ts'
import { bylineMarks } from '#src/lib/byline.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './QueueItem.module.css'

const relationTexts: Record<PostContext['relation'], (post: { id: number }) => string> = {
  answers: (post) => t('moderation.postAnswers', post),
  quotes: (post) => t('moderation.postQuotes', post),
  opening: (post) => t('moderation.postInThread', post),
}

type QueuePostProps = {
  post: Byline & { id: number; content: string; links: string[]; createdAt: Date }
  label: string | null
  context: PostContext | null
  /** the picture */
  children: ReactNode
}

/** Shows a post, and below it the post that it answers. */
export function QueuePost({ post, label, context, children }: QueuePostProps) {
  const { id, author, content, links, createdAt } = post
  return (
    <>
      <div className={styles.post}>
        <p className="cluster">
          <Nick name={author} />
          {bylineMarks(post).map(({ kind, text }) => {
            const Tag = kind === 'capcode' ? 'strong' : 'span'
            return (
              <Tag key={text} className="data" translate={kind === 'trip' ? 'no' : undefined}>
                {text}
              </Tag>
            )
          })}
          <span className="data">
            <Time date={createdAt} /> · {t('ui.postNumber', { id })}
          </span>
          {label !== null && <PosterLabel label={label} />}
        </p>
        <p className={styles.text}>{content}</p>
        {children}
        <Links links={links} />
      </div>
      {context && (
        <div className={styles.context}>
          <p className="data cluster">
            <CornerDownRight className="icon icon-s" />
            {relationTexts[context.relation](context)}
          </p>
          <p>
            <Nick name={context.author} /> {context.excerpt}
          </p>
        </div>
      )}
    </>
  )
}

export function PosterLabel({ label }: { label: string }) {
  return (
    <span className="data quiet" title={t('moderation.posterHint')}>
      {t('moderation.poster', { label })}
    </span>
  )
}

/** Lists links as text: a moderator should not open a link of a spammer by mistake. */
export function Links({ links }: { links: string[] }) {
  if (links.length === 0) return null
  return (
    <ul className={styles.links} aria-label={t('field.links')}>
      {links.map((link) => (
        <li key={link} className="data">
          {link}
        </li>
      ))}
    </ul>
  )
}
