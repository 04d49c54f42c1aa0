import type { ReactNode } from 'react'
import type { DayActivity } from '#src/contract/board.ts'
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
          <h1>
            Welcome to {name}. <span>{tagline}</span>
          </h1>
          <p className={styles.lead}>{description}</p>
          <div className={styles.actions}>
            <JoinChat />
            <ButtonLink size="big" href="/about">
              Learn More
              <span className="visually-hidden"> about {name}</span>
            </ButtonLink>
          </div>
        </div>
        {deck}
      </div>
      <DayDial activity={activity} />
    </section>
  )
}
