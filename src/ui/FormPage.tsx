import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import styles from './FormPage.module.css'
import { PageHeader } from './PageHeader.tsx'

type FormPageProps = { title: string; lead: string; aside: ReactNode; children: ReactNode }

/** A page with a form, and beside it what the visitor should know. */
export function FormPage({ title, lead, aside, children }: FormPageProps) {
  return (
    <div className="wrap">
      <PageHeader title={title} lead={lead} />
      <div className={styles.columns}>
        <div className={styles.main}>{children}</div>
        <aside className={styles.aside}>{aside}</aside>
      </div>
    </div>
  )
}

export type Feature = [icon: LucideIcon, title: string, text: string]

export function FeatureList({ title = t('ui.features'), features }: { title?: string; features: Feature[] }) {
  return (
    <section className={styles.features}>
      <h2 className="label">{title}</h2>
      <ul>
        {features.map(([Icon, name, text]) => (
          <li key={name}>
            <Icon className="icon accent" />
            <div>
              <strong>{name}</strong>
              <p className="quiet">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Other ways than the form. */
export function OtherWays({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`stack ${styles.other}`}>
      <h2 className="label">{title}</h2>
      {children}
    </section>
  )
}
