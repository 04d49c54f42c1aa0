import { t } from '#src/i18n/t.ts'
import { buttonClass } from '#src/ui/Button.tsx'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import { PostFormLink } from './PostFormLink.tsx'
import type { WritePost } from './usePostDialog.tsx'

type CommentButtonProps = {
  boardId: string
  threadId: number
  write: WritePost
  variant?: 'primary'
  title?: string
}

/** Opens the comment form of a thread. */
export function CommentButton({ write, variant, title, ...place }: CommentButtonProps) {
  return (
    <PostFormLink
      className={buttonClass({ variant, size: 'small' })}
      title={title}
      to={{ kind: 'comment', ...place }}
      write={write}
    >
      <SpriteIcon name="reply" />
      {t('board.comment')}
    </PostFormLink>
  )
}
