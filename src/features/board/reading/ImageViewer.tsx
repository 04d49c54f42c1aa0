import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isTall } from '#src/contract/image.ts'
import { listImages } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { closeOverlays, useCloseOnBack } from '#src/ui/overlayHistory.ts'
import styles from './reading.module.css'

const SWIPE_PX = 48

const scrollToTop = (image: HTMLElement | null) => image?.parentElement?.scrollTo(0, 0)

type ImageViewerProps = {
  /** changes with the posts on the page */
  version: number
  firstUrl: string
  /** the reader has already seen the first image */
  isUncovered: boolean
  onClose: () => void
}

/** Shows the images of a thread, one at a time, in the whole window. */
export function ImageViewer({ version, firstUrl, isUncovered, onClose }: ImageViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pressed = useRef<{ x: number; y: number } | null>(null)
  const [shown, setShown] = useState({ url: firstUrl, index: 0 })
  const [uncovered, setUncovered] = useState<readonly string[]>(isUncovered ? [firstUrl] : [])
  useCloseOnBack(true, onClose)

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Returns the focus to the opener.
    return () => element?.close()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  const images = useMemo(() => listImages(), [version])
  const found = images.findIndex(({ url }) => url === shown.url)
  // Images can be removed and added while the viewer is open.
  const index = found < 0 ? Math.min(shown.index, images.length - 1) : found
  const image = images[index]
  const neighbours = [-1, 1].map((step) => images.at((index + step) % images.length)?.url)

  useEffect(() => {
    if (!image) onClose()
  }, [image, onClose])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URLs decide
  useEffect(() => {
    for (const url of neighbours) if (url) new Image().src = url
  }, [neighbours.join()])

  if (!image) return null
  const { postId, author } = image
  const number = t('ui.postNumber', { id: postId })
  const isCovered = image.spoiler && !uncovered.includes(image.url)
  const scrolls = !isCovered && isTall(image)

  function show(next: number) {
    const at = (next + images.length) % images.length
    setShown({ url: images[at]?.url ?? image?.url ?? '', index: at })
  }

  function onKeyDown(event: KeyboardEvent) {
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: images.length - 1 }[event.key]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    show(next)
  }

  function onPointerUp({ clientX, clientY }: PointerEvent) {
    const [dx, dy] = pressed.current ? [clientX - pressed.current.x, clientY - pressed.current.y] : [0, 0]
    pressed.current = null
    const isZoomed = (visualViewport?.scale ?? 1) > 1
    if (!isZoomed && Math.abs(dx) > Math.max(SWIPE_PX, Math.abs(dy))) show(index + (dx < 0 ? 1 : -1))
  }

  async function goToPost(event: MouseEvent) {
    event.preventDefault()
    onClose()
    await closeOverlays()
    location.hash = `p${postId}`
    document.getElementById(`p${postId}`)?.scrollIntoView()
  }

  return (
    <dialog
      ref={dialog}
      className={cx('console', styles.viewer)}
      aria-label={t('board.imagesOfThread')}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header className={cx('spread', styles.bar)}>
        <p className="data" role="status">
          {`${index + 1} / ${images.length}`}
        </p>
        <IconButton icon={X} label={t('ui.close')} onClick={onClose} />
      </header>
      <div
        className={styles.stage}
        // Scrolling by keyboard needs focus.
        {...(scrolls && { role: 'group', tabIndex: 0, 'aria-label': t('ui.attachedTo', { id: postId }) })}
        onPointerDown={({ pointerType, isPrimary, clientX, clientY }) => {
          pressed.current = pointerType === 'touch' && isPrimary ? { x: clientX, y: clientY } : null
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          pressed.current = null
        }}
      >
        {isCovered ? (
          <Button onClick={() => setUncovered([...uncovered, image.url])}>
            {t('board.showSpoiler', { name: number })}
          </Button>
        ) : (
          <img
            key={image.url}
            ref={scrollToTop}
            className={styles.image}
            src={image.url}
            data-tall={scrolls || undefined}
            width={image.width}
            height={image.height}
            alt={t('ui.attachedTo', { id: postId })}
          />
        )}
        {images.length > 1 && (
          <>
            <IconButton
              icon={ChevronLeft}
              label={t('board.previousImage')}
              className={cx(styles.step, styles.previous)}
              onClick={() => show(index - 1)}
            />
            <IconButton
              icon={ChevronRight}
              label={t('board.nextImage')}
              className={cx(styles.step, styles.next)}
              onClick={() => show(index + 1)}
            />
          </>
        )}
      </div>
      <p className={cx('data spread', styles.bar, styles.caption)}>
        <a href={`#p${postId}`} onClick={(event) => void goToPost(event)}>
          {number}
        </a>
        <Nick name={author} />
        <a href={image.url} target="_blank" rel="noopener">
          {`${image.width} × ${image.height}`}
          <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
        </a>
      </p>
    </dialog>
  )
}
