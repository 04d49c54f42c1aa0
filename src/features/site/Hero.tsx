import { ArrowUpRight, Lock, MessageSquare } from 'lucide-react'
import { ButtonLink } from '#src/ui/Button.tsx'
import { DayDial } from './DayDial.tsx'
import styles from './Hero.module.css'
import { useSite } from './site.tsx'

/** The head of Home: welcome, the two ways in, and the console as entrance to the board. */
export function Hero() {
  const { name, chatUrl } = useSite()
  return (
    <section className={styles.hero}>
      <div className={`wrap ${styles.grid}`}>
        <div>
          <h1>
            Welcome to {name}. <span>We take things apart and keep the radio on.</span>
          </h1>
          <p className={styles.lead}>
            A tech and hacking community that lives on IRC. Talk in the channels, post on the board without an account,
            and listen along while you work.
          </p>
          <div className={styles.actions}>
            <ButtonLink variant="primary" size="big" href={chatUrl} target="_blank" rel="noopener">
              Join Chat
              <ArrowUpRight className="icon" />
              <span className="visually-hidden">(opens in a new tab)</span>
            </ButtonLink>
            <ButtonLink size="big" href="/about">
              Learn More
            </ButtonLink>
          </div>
        </div>
        <Deck />
      </div>
      <DayDial />
    </section>
  )
}

function Deck() {
  return (
    <section className={`console ${styles.deck}`} aria-labelledby="deck-title">
      <p className="label">The board</p>
      <h2 className={styles.deckTitle} id="deck-title">
        DTPChan
      </h2>
      <p className={styles.deckText}>Anonymous boards. Pick one and say something: no account needed.</p>
      <ul className={styles.steps}>
        <li>
          <span className="data">name</span>Any username of two characters or more
        </li>
        <li>
          <span className="data">check</span>One small sum, no puzzles
        </li>
        <li>
          <span className="data">post</span>Text, links and a picture up to 5 MB
        </li>
      </ul>
      <div className={styles.deckActions}>
        <ButtonLink href="/dtpchan">
          <MessageSquare className="icon" />
          Open the boards
        </ButtonLink>
        <ButtonLink href="/paste-service">
          <Lock className="icon" />
          New paste
        </ButtonLink>
      </div>
    </section>
  )
}
