import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './Breadcrumbs.tsx'
import styles from './PageHeader.module.css'
import { Ruler } from './Ruler.tsx'

type PageHeaderProps = {
  title: ReactNode
  lead?: ReactNode
  trail?: Crumb[]
  action?: ReactNode
  children?: ReactNode
}

export function PageHeader({ title, lead, trail, action, children }: PageHeaderProps) {
  return (
    <>
      <header className={styles.head}>
        {trail && (
          <div className={styles.crumbs}>
            <Breadcrumbs trail={trail} />
          </div>
        )}
        <div className={styles.row}>
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
