import type { PostFormPlace } from '#src/contract/board.ts'
import { boardPath, threadPath } from '#src/contract/boardPaths.ts'

export const trailOf = ({ board, thread }: PostFormPlace) => [
  { label: 'DTPChan', href: '/dtpchan' },
  { label: `/${board.id}/`, href: boardPath(board.id) },
  ...(thread ? [{ label: `No. ${thread.id}`, href: threadPath(board.id, thread.id) }] : []),
  { label: 'Post' },
]
