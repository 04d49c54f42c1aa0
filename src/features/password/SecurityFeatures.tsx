import { CloudOff, Dices, type LucideIcon, Shapes, ShieldCheck } from 'lucide-react'
import { passwordClasses } from '#src/contract/password.ts'
import styles from './SecurityFeatures.module.css'

const characters = Object.values(passwordClasses).join('').length

const features: { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: ShieldCheck,
    title: 'Cryptographic randomness',
    text: 'Made with crypto.getRandomValues, which your browser also uses for encryption keys.',
  },
  {
    icon: Dices,
    title: 'No favourites',
    text: `All ${characters} characters are equally likely at every position.`,
  },
  {
    icon: Shapes,
    title: 'Four kinds of characters',
    text: 'At least one lowercase letter, one uppercase letter, one digit and one special character. Passwords missing one are discarded and redrawn.',
  },
  {
    icon: CloudOff,
    title: 'Never leaves your browser',
    text: 'Nothing is sent or stored. Once loaded, the page works offline: try it.',
  },
]

export function SecurityFeatures() {
  return (
    <section aria-labelledby="security-features">
      <h2 className={styles.title} id="security-features">
        Security features
      </h2>
      <ul className={styles.list}>
        {features.map(({ icon: Icon, title, text }) => (
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
