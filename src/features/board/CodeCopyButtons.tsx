import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ThreadView } from '#src/contract/board.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'

/** Adds a button that copies the code to each block of code in the thread. */
export function CodeCopyButtons({ thread }: { thread: ThreadView | null }) {
  const [blocks, setBlocks] = useState<readonly Element[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the page shows other posts
  useEffect(() => {
    const found = [...document.querySelectorAll('main article figure:has(> pre)')]
    setBlocks((before) => (before.length + found.length === 0 ? before : found))
  }, [thread])

  return blocks.map((block, index) => {
    const caption = block.querySelector('figcaption')
    const text = block.querySelector('pre')?.textContent ?? ''
    return caption && createPortal(<CopyButton text={text} label="Copy code" />, caption, String(index))
  })
}
