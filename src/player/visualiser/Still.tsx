import { createStore } from '#src/lib/store.ts'
import styles from './VisualiserScreen.module.css'

/** Limits the memory of the still. It is dimmed, so a coarse one is enough. */
const MAX_WIDTH = 960

/** The last frame that the visualiser drew, until the page is reloaded. */
const lastFrame = createStore<HTMLCanvasElement | null>(null)

export function keepFrame(source: HTMLCanvasElement): void {
  const scale = Math.min(1, MAX_WIDTH / source.width)
  const still = document.createElement('canvas')
  still.width = Math.round(source.width * scale)
  still.height = Math.round(source.height * scale)
  still.getContext('2d')?.drawImage(source, 0, 0, still.width, still.height)
  lastFrame.set(still)
}

/** Shows the last frame that was drawn, or a frame of the default preset. @param fades whether frames are drawn below */
export function Still({ fades }: { fades?: boolean }) {
  const frame = lastFrame.useValue()
  if (frame) {
    return <div className={styles.still} data-fades={fades} ref={(element) => element?.replaceChildren(frame)} />
  }
  return <img className={styles.still} data-fades={fades} src="/visualiser.webp" alt="" width={1280} height={720} />
}
