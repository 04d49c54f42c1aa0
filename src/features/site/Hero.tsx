import type { ReactNode } from 'react'
import type { DayActivity } from '#src/contract/board.ts'
import { rich } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from '#src/ui/site.tsx'
import { DayDial } from './DayDial.tsx'
import styles from './Hero.module.css'
import { JoinChat } from './JoinChat.tsx'

export function Hero({ deck, activity }: { deck: ReactNode; activity: DayActivity | null }) {
  const { name, tagline, description } = useSite()
  return (
    <section className={styles.hero}>
      <div className={`wrap ${styles.grid}`}>
        <div>
          <h1>{rich('site.welcome', { name, tagline, span: (text) => <span>{text}</span> })}</h1>
          <p className={styles.lead}>{description}</p>
          <div className={styles.actions}>
            <JoinChat />
            <ButtonLink size="big" href="/about">
              {rich('site.learnMore', { name, hidden: (text) => <span className="visually-hidden">{text}</span> })}
            </ButtonLink>
          </div>
        </div>
        {deck}
      </div>
      <DayDial activity={activity} />
    </section>
  )
}
