import { lastFrame } from './lastFrame.ts'
import styles from './VisualiserScreen.module.css'

/** Shows the last frame that was drawn, or a frame of the default preset. @param fades whether frames are drawn below */
export function Still({ fades }: { fades?: boolean }) {
  const frame = lastFrame.useValue()
  if (frame) {
    return <div className={styles.still} data-fades={fades} ref={(element) => element?.replaceChildren(frame)} />
  }
  return <img className={styles.still} data-fades={fades} src="/visualiser.webp" alt="" width={1280} height={720} />
}
