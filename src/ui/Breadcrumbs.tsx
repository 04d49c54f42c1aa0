import { t } from '#src/i18n/t.ts'
import styles from './Breadcrumbs.module.css'

export type Crumb = { label: string; href?: string }

export function Breadcrumbs({ trail }: { trail: Crumb[] }) {
  return (
    <nav aria-label={t('ui.breadcrumb')} translate="no">
      <ol className={`cluster data ${styles.crumbs}`}>
        {trail.map(({ label, href }) => (
          <li key={label} aria-current={href ? undefined : 'page'}>
            {href ? <a href={href}>{label}</a> : label}
          </li>
        ))}
      </ol>
    </nav>
  )
}
