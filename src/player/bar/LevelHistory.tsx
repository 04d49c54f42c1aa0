import { cx } from '#src/ui/cx.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import styles from './LevelHistory.module.css'
import { useLevelsAnimated } from './useLevelsAnimated.ts'

const importCanvas = () => import('./LevelHistoryCanvas.tsx').then((module) => module.LevelHistoryCanvas)

export function LevelHistory({ className, alignTop }: { className?: string; alignTop?: boolean }) {
  const isAnimated = useLevelsAnimated()
  const LevelHistoryCanvas = useLazyComponent(importCanvas, isAnimated)

  return (
    <div className={cx(styles.level, className)} aria-hidden="true">
      {isAnimated && LevelHistoryCanvas ? (
        <LevelHistoryCanvas alignTop={alignTop} />
      ) : (
        <Ruler tall={!alignTop} className={styles.rest} />
      )}
    </div>
  )
}
