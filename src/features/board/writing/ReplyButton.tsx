import { t } from '#src/i18n/t.ts'
import { buttonClass } from '#src/ui/Button.tsx'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import { PostFormLink } from './PostFormLink.tsx'
import type { PostLocation } from './postLocation.ts'
import type { WritePost } from './usePostDialog.tsx'

const className = buttonClass({ variant: 'text' })

type ReplyButtonProps = {
  to: PostLocation & { kind: 'reply' }
  /** the reply that the new reply answers */
  quote?: number
  write: WritePost
}

export function ReplyButton(props: ReplyButtonProps) {
  return (
    <PostFormLink {...props} className={className}>
      <SpriteIcon name="reply" />
      {t('board.reply')}
    </PostFormLink>
  )
}
