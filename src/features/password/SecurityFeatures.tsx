import { CloudOff, Dices, type LucideIcon, Shapes, ShieldCheck } from 'lucide-react'
import { passwordClasses } from '#src/contract/password.ts'
import styles from './SecurityFeatures.module.css'

const characters = Object.values(passwordClasses).join('').length

const features: { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: ShieldCheck,
    title: 'Cryptographic randomness',
    text: 'It comes from crypto.getRandomValues, the generator your browser makes its keys with.',
  },
  {
    icon: Dices,
    title: 'No favourites',
    text: `Every position is drawn evenly from all ${characters} characters, without the bias of a remainder.`,
  },
  {
    icon: Shapes,
    title: 'Four kinds of characters',
    text: 'At least one lowercase letter, one uppercase letter, one digit and one special character. A draw that misses one is thrown away whole.',
  },
  {
    icon: CloudOff,
    title: 'Never leaves your browser',
    text: 'Nothing is sent or stored. Once the page is open it works without a network: try it.',
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
