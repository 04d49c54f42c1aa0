import { useEffect, useState } from 'react'
import { READER_FILTERS_KEY } from '#src/contract/readerFilters.ts'
import type { ThreadHead } from '#src/contract/thread.ts'
import type { WritePost } from '#src/features/board/writing/usePostDialog.tsx'
import { whenIdle } from '#src/lib/whenIdle.ts'
import { createStoredPart, useLazyComponent } from '#src/ui/useLazyComponent.ts'
import type { HiddenPostsProps } from './HiddenPosts.tsx'

const HiddenPosts = createStoredPart(READER_FILTERS_KEY, async () => (await import('./HiddenPosts.tsx')).HiddenPosts)
const importListeners = async () => (await import('./ReadingListeners.tsx')).ReadingListeners

type ReadingToolsProps = {
  boardId?: string
  thread?: ThreadHead
  /** changes with the posts on the page */
  version?: number
  /** undefined if the thread takes no posts */
  write?: WritePost | undefined
} & Pick<HiddenPostsProps, 'onHide'>

/** Hidden posts, previews of quotes, quotes of selected text, enlarged images and keys. Their code loads when the page is idle. */
export function ReadingTools({ boardId, thread, version = 0, write, onHide }: ReadingToolsProps) {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => setIsIdle(true)), [])
  const Listeners = useLazyComponent(importListeners, isIdle)
  return (
    <>
      <HiddenPosts boardId={boardId} version={version} onHide={onHide} />
      {Listeners && <Listeners boardId={boardId} thread={thread ?? null} version={version} write={write} />}
    </>
  )
}
