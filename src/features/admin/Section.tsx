import type { ReactNode } from 'react'
import styles from './screens.module.css'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`stack ${styles.section}`}>
      <h2 className="label">{title}</h2>
      {children}
    </section>
  )
}
