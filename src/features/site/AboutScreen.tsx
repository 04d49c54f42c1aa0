import { Braces, ChevronRight, Radio } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Site } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useSite } from '#src/ui/site.ts'
import styles from './AboutScreen.module.css'
import { IrcFacts } from './IrcFacts.tsx'
import { JoinChat } from './JoinChat.tsx'
import { listMainItems, listNewsItems, listToolItems, type NavItem } from './navigation.ts'

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
        <div className={`stack ${styles.text}`}>
          <p>{t('site.joinText', { channel: irc.channels.main })}</p>
        </div>
        <div className={`cluster ${styles.actions}`}>
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
    <div className={`stack ${styles.text}`}>
      {of.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}

const listServices = (): { href: string; line: string }[] => [
  { href: '/#on-air', line: t('site.radioLine') },
  { href: '/archive', line: t('site.archiveLine') },
  { href: '/visualizer', line: t('site.visualiserLine') },
  { href: '/dtpchan', line: t('site.boardsLine') },
  { href: '/today-in-tech', line: t('site.newsLine') },
  { href: '/paste-service', line: t('site.pasteLine') },
  { href: '/image-sharing', line: t('site.imageSharingLine') },
  { href: '/programs-we-love', line: t('site.programsLine') },
  { href: '/password-generator', line: t('site.passwordLine') },
  { href: '/api', line: t('site.apiLine') },
]

const listOtherItems = (): NavItem[] => [
  { label: t('site.radio'), href: '/#on-air', icon: Radio },
  { label: t('site.apiTitle'), href: '/api', icon: Braces },
]

function ServiceList() {
  const navItems = [...listOtherItems(), ...listMainItems(), ...listNewsItems(useSite()), ...listToolItems()]
  return (
    <ul className="ruled">
      {listServices().map(({ href, line }) => {
        const item = navItems.find((navItem) => navItem.href === href)
        if (!item) return null
        const { label, icon: Icon } = item
        return (
          <li key={href} className={styles.row}>
            <Icon className="icon accent" />
            <a className={`stretched ${styles.name}`} href={href}>
              {label}
            </a>
            <p className={styles.line}>{line}</p>
            <ChevronRight className="icon hint" />
          </li>
        )
      })}
    </ul>
  )
}
