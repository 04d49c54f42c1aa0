import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { findImageFileError } from '#src/lib/imageFileError.ts'
import { useFieldProps } from '#src/ui/Field.tsx'
import picker from '#src/ui/FilePicker.module.css'
import { FileName, useImagePreview } from '#src/ui/FilePicker.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import styles from './PostScreen.module.css'

type ChosenImagesProps = { images: readonly ChosenImage[]; onRemove: (id: number) => void }

/** Lists the images of a form. */
export function ChosenImages({ images, onRemove }: ChosenImagesProps) {
  const list = useRef<HTMLUListElement>(null)
  const { id: inputId = '' } = useFieldProps()
  const count = images.length

  function remove(id: number, index: number) {
    // The next button in the list, or the file input, gets the focus of the removed one.
    const buttons = list.current?.querySelectorAll('button') ?? []
    const next = buttons[index + 1] ?? buttons[index - 1] ?? document.getElementById(inputId)
    onRemove(id)
    // A folded image is visible once it is the first one.
    requestAnimationFrame(() => focusInView(next))
  }

  return (
    <>
      {count > 0 && (
        <ul ref={list} className={`stack ${styles.list}`} aria-label={t('board.chosenImages')}>
          {images.map((image, index) => (
            <Item key={image.id} image={image} onRemove={() => remove(image.id, index)} />
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {count > 0 && t('board.imagesChosen', { count })}
      </p>
    </>
  )
}

function Item({ image: { file, fault }, onRemove }: { image: ChosenImage; onRemove: () => void }) {
  const preview = useImagePreview(file)
  return (
    <li className={styles.item} data-faulty={fault !== null || undefined}>
      {preview && fault === null && <img className={picker.thumb} src={preview} alt="" />}
      <FileName name={file.name} size={formatBytes(file.size)} />
      <IconButton
        icon={X}
        label={t('board.removeFile', { name: file.name })}
        className={picker.remove}
        onClick={onRemove}
      />
    </li>
  )
}

type ChosenImage = {
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
