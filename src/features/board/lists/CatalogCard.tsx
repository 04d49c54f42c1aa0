import { Image, MessageSquare } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { imageHeights } from '#src/contract/post.ts'
import { type CatalogThread, threadPath } from '#src/contract/thread.ts'
import { rich, t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { cx } from '#src/ui/cx.ts'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './CatalogCard.module.css'
import { countReplies } from './catalog.ts'
import { FurtherPictures } from './FurtherPictures.tsx'
import { previewOf } from './previewOf.ts'
import { ThreadMarks } from './ThreadMarks.tsx'

const LIST_WIDTH = 320

export const catalogIcons = { replies: MessageSquare, images: Image }

type CatalogCardProps = {
  thread: CatalogThread
  /** Renders the controls of moderators and authors. */
  renderControls?: (thread: CatalogThread) => ReactNode
}

export const CatalogCard = memo(function CatalogCard({ thread, renderControls }: CatalogCardProps) {
  const { id, title, picture, furtherPictures, spoiler, imageCount } = thread
  const replies = countReplies(thread)
  return (
    <article className={cx(styles.card, picture && styles.illustrated)} aria-labelledby={`t${id}`}>
      {picture && (
        <div className={styles.image}>
          {furtherPictures && <FurtherPictures count={furtherPictures} />}
          {spoiler ? (
            <span className={styles.spoiler}>{t('board.spoiler')}</span>
          ) : (
            <img
              src={picture.url}
              {...fitInside(picture, { width: LIST_WIDTH, height: imageHeights.list })}
              alt={t('ui.attachedTo', { id })}
              loading="lazy"
              decoding="async"
            />
          )}
        </div>
      )}
      <div className={styles.text}>
        <ThreadMarks thread={thread} />
        <h2 className={styles.title} id={`t${id}`}>
          <a href={threadPath(thread.boardId, id)}>{title}</a>
        </h2>
        <p className={styles.preview}>{previewOf(thread)}</p>
      </div>
      <footer className={styles.foot}>
        {replies > 0 && (
          <Count icon="replies" title={t('board.replyCount', { count: replies })}>
            {rich('board.replyCountIcon', { count: replies, unit })}
          </Count>
        )}
        {imageCount > 0 && (
          <Count icon="images" title={t('board.imageCount', { count: imageCount })}>
            {rich('board.imageCountIcon', { count: imageCount, unit })}
          </Count>
        )}
        <span className={styles.time}>
          <span className="visually-hidden">{`${t('board.lastActivity')} `}</span>
          <RelativeTime date={thread.lastActivity} />
        </span>
        {renderControls && <span className={styles.controls}>{renderControls(thread)}</span>}
      </footer>
    </article>
  )
})

const unit = (text: ReactNode) => <span className="visually-hidden">{text}</span>

type CountProps = { icon: keyof typeof catalogIcons; title: string; children: ReactNode }

function Count({ icon, title, children }: CountProps) {
  return (
    <span className={styles.count} title={title}>
      <SpriteIcon name={icon} />
      {children}{' '}
    </span>
  )
}
