import { useEffect, useEffectEvent, useState } from 'react'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Handles files that are pasted or dropped anywhere on the page. The browser would open them instead.
 * @returns whether a file hovers over the page
 */
export function useIncomingFile(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent((list: FileList | undefined) => {
    const file = list?.[0]
    if (file) onFile(file)
    return file !== undefined
  })

  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      // table cells come as text and image
      if (event.clipboardData?.types.includes('text/plain')) return
      if (take(event.clipboardData?.files)) event.preventDefault()
    }
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    // no related target: the pointer left the window
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      take(event.dataTransfer?.files)
    }
    document.addEventListener('paste', paste)
    document.addEventListener('dragover', drag)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('paste', paste)
      document.removeEventListener('dragover', drag)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [])

  return over
}
