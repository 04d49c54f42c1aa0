import { buttonClass } from '#src/ui/Button.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import { preloading } from './usePostDialog.tsx'

const className = buttonClass({ variant: 'text' })

export function ReplyButton({ to, onClick }: { to: number; onClick: () => void }) {
  return (
    <button
      type="button"
      className={className}
      title={`Reply to No. ${to}`}
      disabled={!useHydrated()}
      {...preloading}
      onClick={onClick}
    >
      <SpriteIcon name="reply" />
      Reply
    </button>
  )
}
