import { X } from 'lucide-react'
import { useRef } from 'react'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { useFieldProps } from '#src/ui/Field.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { useImagePreview } from '#src/ui/useImagePreview.ts'
import styles from './ChosenImages.module.css'
import type { ChosenImage } from './useChosenImages.ts'

const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

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
        <ul ref={list} className={styles.list} aria-label={t('board.chosenImages')}>
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
      {preview && fault === null && <img className={styles.thumb} src={preview} alt="" />}
      <span className={styles.name}>
        <strong>{file.name}</strong>
        <span className="data">{`${formatNumber(file.size / 1024 / 1024, TWO_DIGITS)} MB`}</span>
      </span>
      <IconButton
        icon={X}
        label={t('board.removeFile', { name: file.name })}
        className={styles.remove}
        onClick={onRemove}
      />
    </li>
  )
}
