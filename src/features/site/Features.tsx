import { CircuitBoard, CodeXml, type LucideIcon, Radio } from 'lucide-react'
import type { SiteFacts } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'
import { useSite } from '#src/ui/site.ts'
import { Tag } from '#src/ui/Tag.tsx'
import styles from './Features.module.css'
import { channelUrl } from './JoinChat.tsx'

type Feature = { icon: LucideIcon; title: string; text: string; links: [label: string, href: string][] }

const listFeatures = ({ irc, boardsName }: SiteFacts): Feature[] => [
  {
    icon: CodeXml,
    title: t('site.codingTitle'),
    text: t('site.codingText'),
    links: [
      [boardsName, '/dtpchan'],
      [t('site.programs'), '/programs-we-love'],
      [t('site.pastes'), '/paste-service'],
    ],
  },
  {
    icon: Radio,
    title: t('site.radioTitle'),
    text: t('site.radioText'),
    links: [
      [irc.channels.radio, channelUrl(irc, irc.channels.radio)],
      [t('site.archive'), '/archive'],
      [t('site.visualiser'), '/visualizer'],
    ],
  },
  {
    icon: CircuitBoard,
    title: t('site.hardwareTitle'),
    text: t('site.hardwareText'),
    links: [
      [t('news.title'), '/today-in-tech'],
      [t('site.imageSharing'), '/image-sharing'],
    ],
  },
]

export function Features() {
  return (
    <div className={`wrap ${styles.features}`}>
      {listFeatures(useSite()).map(({ icon: Icon, title, text, links }) => (
        <section key={title} className={styles.feature}>
          <Icon className="icon accent" />
          <h2>{title}</h2>
          <p>{text}</p>
          <ul className={`cluster ${styles.tags}`}>
            {links.map(([label, href]) => (
              <li key={href}>
                <Tag href={href}>{label}</Tag>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
