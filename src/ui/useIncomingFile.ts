import { useEffect, useEffectEvent, useState } from 'react'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Takes a file that is pasted or dropped anywhere on the page: beside its place the browser would open it instead, and
 * the page would be gone. Returns whether one hovers over the page.
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
      // a text that comes with its picture, such as cells of a table, is pasted as text
      if (event.clipboardData?.types.includes('text/plain')) return
      if (take(event.clipboardData?.files)) event.preventDefault()
    }
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    // without a related target the pointer has left the window
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
