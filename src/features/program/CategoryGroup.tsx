import type { ReactNode } from 'react'
import styles from './CategoryGroup.module.css'
import { categoryName, categoryStyle } from './categories.ts'

type CategoryGroupProps = { category: string; count: number; children: ReactNode }

export function CategoryGroup({ category, count, children }: CategoryGroupProps) {
  const { icon: Icon, hue } = categoryStyle(category)
  return (
    <section className={styles.group} data-hue={hue} aria-label={categoryName(category)}>
      <h2 className={styles.name}>
        <Icon className="icon" />
        {categoryName(category)} <span className="data">{count}</span>
      </h2>
      <div className={styles.cards}>{children}</div>
    </section>
  )
}
