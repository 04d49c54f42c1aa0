import type { LucideIcon } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import styles from './FeatureList.module.css'

export type Feature = [icon: LucideIcon, title: string, text: string]

export function FeatureList({ title = t('ui.features'), features }: { title?: string; features: Feature[] }) {
  return (
    <section className={styles.features}>
      <h2 className="label">{title}</h2>
      <ul>
        {features.map(([Icon, name, text]) => (
          <li key={name}>
            <Icon className="icon" />
            <div>
              <strong>{name}</strong>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
