import { Button } from '#src/ui/Button.tsx'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import { preloading } from './usePostDialog.tsx'

/** Opens the comment form of a thread. */
export function CommentButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="primary" size="small" {...preloading} onClick={onClick}>
      <SpriteIcon name="reply" />
      Comment
    </Button>
  )
}
