import { CloudOff, Dices, type LucideIcon, Shapes, ShieldCheck } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { passwordClasses } from '#src/lib/password.ts'
import styles from './SecurityFeatures.module.css'

const characterCount = Object.values(passwordClasses).join('').length

const listFeatures = (): { icon: LucideIcon; title: string; text: string }[] => [
  {
    icon: ShieldCheck,
    title: t('password.randomTitle'),
    text: t('password.randomText'),
  },
  {
    icon: Dices,
    title: t('password.evenTitle'),
    text: t('password.evenText', { count: characterCount }),
  },
  {
    icon: Shapes,
    title: t('password.classesTitle'),
    text: t('password.classesText'),
  },
  {
    icon: CloudOff,
    title: t('password.localTitle'),
    text: t('password.localText'),
  },
]

export function SecurityFeatures() {
  return (
    <section aria-labelledby="security-features">
      <h2 className="h3" id="security-features">
        {t('password.securityFeatures')}
      </h2>
      <ul className={`ruled ${styles.list}`}>
        {listFeatures().map(({ icon: Icon, title, text }) => (
          <li key={title} className={styles.feature}>
            <Icon className="icon" />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
