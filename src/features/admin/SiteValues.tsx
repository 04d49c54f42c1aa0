import { ChevronDown } from 'lucide-react'
import type { SiteValue } from '#src/contract/siteContent.ts'
import { t } from '#src/i18n/t.ts'
import styles from './SiteScreen.module.css'
import screens from './screens.module.css'

/** Lists the fields of the site file. Those with a default are folded. */
export function SiteValues({ values }: { values: SiteValue[] }) {
  const defaults = values.filter(({ isDefault }) => isDefault)
  const changed = values.filter(({ isDefault }) => !isDefault)
  return (
    <>
      <p>{t('branding.valuesSet', { count: changed.length })}</p>
      <ValueList values={changed} />
      <details className={screens.runs}>
        <summary>
          <ChevronDown className="icon icon-s" />
          {t('branding.defaults', { count: defaults.length })}
        </summary>
        <ValueList values={defaults} />
      </details>
    </>
  )
}

function ValueList({ values }: { values: SiteValue[] }) {
  return (
    <dl className={styles.values}>
      {values.map(({ field, value }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>{value ?? t('branding.none')}</dd>
        </div>
      ))}
    </dl>
  )
}
