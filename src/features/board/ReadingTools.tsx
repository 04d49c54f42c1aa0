import { useEffect, useState } from 'react'
import type { ThreadView } from '#src/contract/board.ts'
import { whenIdle } from '#src/lib/whenIdle.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'

const importListeners = async () => (await import('./ReadingListeners.tsx')).ReadingListeners

/** Previews of quotes, enlarged images and keys. Their code loads when the page is idle. */
export function ReadingTools({ boardId, thread }: { boardId?: string; thread?: ThreadView }) {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => setIsIdle(true)), [])
  const Listeners = useLazyComponent(importListeners, isIdle)
  return Listeners && <Listeners boardId={boardId} thread={thread ?? null} />
}
