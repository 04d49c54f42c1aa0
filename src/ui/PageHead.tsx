import type { ReactNode } from 'react'
import { type Crumb, Crumbs } from './Crumbs.tsx'
import styles from './PageHead.module.css'
import { Ruler } from './Ruler.tsx'

type PageHeadProps = {
  title: ReactNode
  lead?: ReactNode
  trail?: Crumb[]
  /** the page's main button, at the right */
  action?: ReactNode
  /** what else belongs to the head, under the lead */
  children?: ReactNode
}

/** Head of a page: crumbs, the one h1, a lead and the main button, closed by the ruler. */
export function PageHead({ title, lead, trail, action, children }: PageHeadProps) {
  return (
    <>
      <header className={styles.head}>
        {trail && (
          <div className={styles.crumbs}>
            <Crumbs trail={trail} />
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
