import { type ReactNode, useId } from 'react'
import type { Site } from '#src/contract/site.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useSite } from '#src/ui/site.tsx'
import styles from './AboutScreen.module.css'
import { IrcFacts } from './IrcFacts.tsx'
import { JoinChat } from './JoinChat.tsx'
import { ServiceList } from './ServiceList.tsx'

export function AboutScreen({ story, mission }: Site['about']) {
  const { name, irc } = useSite()
  return (
    <div className="wrap">
      <PageHeader title={`About ${name}`} lead="Who we are, what we do, and how to join." />
      <Section title="Our Story">
        <Paragraphs of={story} />
      </Section>
      <Section title="Our Mission">
        <Paragraphs of={mission} />
      </Section>
      <Section title="Features & Services">
        <ServiceList />
      </Section>
      <Section title="Join Our Community">
        <div className={styles.text}>
          <p>Pick a nick, join {irc.channels.main} and say hello. First questions are welcome, and so is lurking.</p>
        </div>
        <div className={styles.actions}>
          <JoinChat />
          <ButtonLink size="big" href="/#connect">
            Set up a client
          </ButtonLink>
        </div>
        <div className={`panel ${styles.facts}`}>
          <IrcFacts />
        </div>
      </Section>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div>{children}</div>
    </section>
  )
}

function Paragraphs({ of }: { of: string[] }) {
  return (
    <div className={styles.text}>
      {of.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
