import type { ComponentProps } from 'react'
import { type PostPlace, postFormPath } from '#src/contract/post.ts'
import type { ThreadView } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { Apart } from '#src/ui/Apart.tsx'
import { buttonClass } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'

type PostFormLinkProps = { to: PostPlace } & ComponentProps<'a'>

/**
 * Links to the page with the form of a thread or comment. With script, `usePreparedPosts` makes it a button that opens
 * the form in a dialog.
 */
export const PostFormLink = ({ to, className, ...rest }: PostFormLinkProps) => (
  <Apart>
    <a
      {...rest}
      className={cx(className, to.threadId === undefined ? 'thread-link' : 'reply-link')}
      href={postFormPath(to)}
    />
  </Apart>
)

type CommentButtonProps = { boardId: string; threadId: number; variant?: 'primary' | undefined }

/** Opens the comment form of a thread. */
export const CommentButton = ({ variant, ...place }: CommentButtonProps) => (
  <PostFormLink to={place} className={buttonClass({ variant, size: 'small' })}>
    {t('board.comment')}
  </PostFormLink>
)

/** Returns why a thread takes no posts of visitors, or null if it does. */
export function closedText({ archived, locked }: Pick<ThreadView, 'archived' | 'locked'>): string | null {
  if (archived) return t('board.threadArchived')
  return locked ? t('board.threadLocked') : null
}
