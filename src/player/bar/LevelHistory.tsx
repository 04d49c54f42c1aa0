import { cx } from '#src/ui/cx.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import styles from './LevelHistory.module.css'
import { useLevelsAnimated } from './useLevelsAnimated.ts'

const importTicks = async () => (await import('./LevelTicks.tsx')).LevelTicks

export function LevelHistory({ className, alignTop }: { className?: string; alignTop?: boolean }) {
  const isAnimated = useLevelsAnimated()
  const Ticks = useLazyComponent(importTicks, isAnimated)
  return (
    <div className={cx(styles.level, className)} aria-hidden="true">
      {isAnimated && Ticks ? <Ticks alignTop={alignTop} /> : <Ruler tall={!alignTop} className={styles.rest} />}
    </div>
  )
}
