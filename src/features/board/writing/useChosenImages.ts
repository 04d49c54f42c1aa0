import { useRef, useState } from 'react'
import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import { t } from '#src/i18n/t.ts'
import { findImageFileError } from '#src/lib/imageFileError.ts'

export type ChosenImage = {
  id: number
  file: File
  /** why the server would refuse the file */
  fault: string | null
}

/** Returns the images of a form in the order of choosing. @param show receives why they would be refused, or null */
export function useChosenImages(show: (refusal: string | null) => void) {
  const [images, setImages] = useState<readonly ChosenImage[]>([])
  // Files are checked one after the other, while the visitor chooses and removes others.
  const latest = useRef(images)
  const nextId = useRef(0)

  function change(next: readonly ChosenImage[]) {
    latest.current = next
    setImages(next)
    show(describeFault(next))
  }

  /** Adds files. They replace those that would be refused. */
  async function add(files: File[]) {
    const kept = latest.current.filter(({ fault }) => fault === null)
    const free = MAX_POST_IMAGES - kept.length
    const added = files.slice(0, free).map((file) => ({ id: nextId.current++, file, fault: null }))
    change([...kept, ...added])
    if (files.length > free) show(t('image.count', { max: MAX_POST_IMAGES }))
    for (const { id, file } of added) {
      const fault = await findImageFileError(file)
      if (fault !== null) change(latest.current.map((one) => (one.id === id ? { ...one, fault } : one)))
    }
  }

  return {
    images,
    fault: describeFault(images),
    add,
    remove: (id: number) => change(latest.current.filter((one) => one.id !== id)),
    clear: () => change([]),
  }
}

/** Names the file if there are several. */
function describeFault(images: readonly ChosenImage[]): string | null {
  const faulty = images.find(({ fault }) => fault !== null)
  if (!faulty) return null
  return images.length > 1 ? `${faulty.file.name}: ${faulty.fault}` : faulty.fault
}
