import { type ReactNode, useId } from 'react'
import type { Site } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'
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
      <PageHeader title={t('site.aboutTitle', { name })} lead={t('site.aboutLead')} />
      <Section title={t('site.ourStory')}>
        <Paragraphs of={story} />
      </Section>
      <Section title={t('site.ourMission')}>
        <Paragraphs of={mission} />
      </Section>
      <Section title={t('site.featuresAndServices')}>
        <ServiceList />
      </Section>
      <Section title={t('site.joinCommunity')}>
        <div className={styles.text}>
          <p>{t('site.joinText', { channel: irc.channels.main })}</p>
        </div>
        <div className={styles.actions}>
          <JoinChat />
          <ButtonLink size="big" href="/#connect">
            {t('site.setUpClient')}
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
