import type { ProgramView } from '#src/contract/program.ts'
import { categoryStyle, listCategories } from './categories.ts'
import styles from './ProgramTicks.module.css'

/** Decoration: draws a tick for each program, by category, and highlights ticks that match the filter. */
export function ProgramTicks({ programs, shown }: { programs: ProgramView[]; shown: ProgramView[] }) {
  const order = listCategories(programs)
  const lit = new Set(shown)
  const banded = [...programs].sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category))
  return (
    <div className={styles.ticks} aria-hidden="true">
      {banded.map((program) => (
        <span
          key={program.id}
          data-hue={categoryStyle(program.category).hue}
          data-lit={lit.has(program) || undefined}
        />
      ))}
    </div>
  )
}
