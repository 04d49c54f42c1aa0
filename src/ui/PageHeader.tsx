import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './Breadcrumbs.tsx'
import { cx } from './cx.ts'
import styles from './PageHeader.module.css'
import { Ruler } from './Ruler.tsx'

type PageHeaderProps = {
  title: ReactNode
  lead?: ReactNode
  trail?: Crumb[]
  action?: ReactNode
  /** for pages of work: shows only the title on phones */
  compact?: boolean
  children?: ReactNode
}

export function PageHeader({ title, lead, trail, action, compact, children }: PageHeaderProps) {
  return (
    <>
      <header className={cx(styles.head, compact && styles.compact)}>
        {trail && (
          <div className={styles.crumbs}>
            <Breadcrumbs trail={trail} />
          </div>
        )}
        <div className={`cluster ${styles.row}`}>
          <div>
            <h1>{title}</h1>
            {lead && <p className={styles.lead}>{lead}</p>}
            {children}
          </div>
          {action}
        </div>
      </header>
      <Ruler />
    </>
  )
}
