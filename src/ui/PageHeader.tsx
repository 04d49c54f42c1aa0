import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import { cx } from './cx.ts'
import styles from './PageHeader.module.css'
import { Ruler } from './Ruler.tsx'

export type Crumb = { label: string; href?: string }

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

export function Breadcrumbs({ trail }: { trail: Crumb[] }) {
  return (
    <nav aria-label={t('ui.breadcrumb')} translate="no">
      <ol className={`cluster data ${styles.trail}`}>
        {trail.map(({ label, href }) => (
          <li key={label} aria-current={href ? undefined : 'page'}>
            {href ? <a href={href}>{label}</a> : label}
          </li>
        ))}
      </ol>
    </nav>
  )
}
