import { look } from '#src/ui/Button.tsx'
import { Stamp } from '#src/ui/Stamp.tsx'
import { preloading } from './usePostDialog.tsx'

const className = look({ variant: 'text' })

/** The key below each post that answers it. */
export function ReplyKey({ to, onClick }: { to: number; onClick: () => void }) {
  return (
    <button type="button" className={className} title={`Reply to No. ${to}`} {...preloading} onClick={onClick}>
      <Stamp name="reply" />
      Reply
    </button>
  )
}
