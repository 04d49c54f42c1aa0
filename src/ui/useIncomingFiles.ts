import { useEffect, useEffectEvent, useState } from 'react'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Takes files that the visitor pastes or drops anywhere on the page, so that the browser does not open them.
 * @returns whether the visitor drags a file over the page
 */
export function useIncomingFiles(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent((list: FileList | undefined) => {
    const files = [...(list ?? [])]
    if (files.length > 0) onFiles(files)
    return files.length > 0
  })

  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      // Ignores copied table cells, which contain an image, text and HTML. A copied file can contain its name as text.
      const types = event.clipboardData?.types ?? []
      if (types.includes('text/plain') && types.includes('text/html')) return
      if (take(event.clipboardData?.files)) event.preventDefault()
    }
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    // A missing related target means that the pointer left the window.
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      take(event.dataTransfer?.files)
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('paste', paste, { signal })
    document.addEventListener('dragover', drag, { signal })
    document.addEventListener('dragleave', leave, { signal })
    document.addEventListener('drop', drop, { signal })
    return () => listening.abort()
  }, [])

  return over
}
