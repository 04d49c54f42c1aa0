import { cx } from '#src/ui/cx.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import { useLoaded } from '#src/ui/useLoaded.ts'
import styles from './Level.module.css'
import { useMoving } from './useMoving.ts'

const importCanvas = () => import('./LevelCanvas.tsx').then((module) => module.LevelCanvas)

/** How loud the radio was just now; a ruler as long as nothing is measured. */
export function Level({ className, hanging }: { className?: string; hanging?: boolean }) {
  const isMoving = useMoving()
  const LevelCanvas = useLoaded(importCanvas, isMoving)

  return (
    <div className={cx(styles.level, className)} aria-hidden="true">
      {isMoving && LevelCanvas ? <LevelCanvas hanging={hanging} /> : <Ruler tall={!hanging} className={styles.rest} />}
    </div>
  )
}
