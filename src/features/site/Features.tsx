import { CircuitBoard, CodeXml, type LucideIcon, Radio } from 'lucide-react'
import type { SiteFacts } from '#src/contract/site.ts'
import { useSite } from '#src/ui/site.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import styles from './Features.module.css'
import { channelUrl } from './ircClients.ts'

type Feature = { icon: LucideIcon; title: string; text: string; links: [label: string, href: string][] }

const listFeatures = ({ irc, boardsName }: SiteFacts): Feature[] => [
  {
    icon: CodeXml,
    title: 'Tech & Coding',
    text: 'Ask what a search engine can’t answer. Someone here has read that source file.',
    links: [
      [boardsName, '/dtpchan'],
      ['Programs', '/programs-we-love'],
      ['Pastes', '/paste-service'],
    ],
  },
  {
    icon: Radio,
    title: 'Radio & IRC',
    text: 'One stream for everyone, with the talk in the channel. Missed a show? It’s in the archive.',
    links: [
      [irc.channels.radio, channelUrl(irc, irc.channels.radio)],
      ['Archive', '/archive'],
      ['Visualiser', '/visualizer'],
    ],
  },
  {
    icon: CircuitBoard,
    title: 'Hardware Hacking',
    text: 'Firmware dumps, dead boards, cheap radios, and the tools to open them without breaking the clips.',
    links: [
      ['Today in Tech', '/today-in-tech'],
      ['Image Sharing', '/image-sharing'],
    ],
  },
]

export function Features() {
  return (
    <div className={`wrap ${styles.features}`}>
      {listFeatures(useSite()).map(({ icon: Icon, title, text, links }) => (
        <section key={title} className={styles.feature}>
          <Icon className="icon" />
          <h2>{title}</h2>
          <p>{text}</p>
          <ul className={styles.tags}>
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
