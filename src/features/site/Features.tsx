import { CircuitBoard, CodeXml, type LucideIcon, Radio } from 'lucide-react'
import { Tag } from '#src/ui/Tag.tsx'
import styles from './Features.module.css'

type Feature = { icon: LucideIcon; title: string; text: string; links: [label: string, href: string][] }

const features: Feature[] = [
  {
    icon: CodeXml,
    title: 'Tech & Coding',
    text: 'Ask the question you could not phrase for a search box. Somebody in here has read that source file.',
    links: [
      ['DTPChan', '/dtpchan'],
      ['Programs', '/programs-we-love'],
      ['Pastes', '/paste-service'],
    ],
  },
  {
    icon: Radio,
    title: 'Radio & IRC',
    text: 'One stream, talked over in the channel while it plays. Missed a show? Look in the archive.',
    links: [
      ['Archive', '/archive'],
      ['Visualiser', '/visualizer'],
    ],
  },
  {
    icon: CircuitBoard,
    title: 'Hardware Hacking',
    text: 'Firmware dumps, dead boards, cheap radios and the tools to open them without breaking the clips.',
    links: [
      ['Today in Tech', '/today-in-tech'],
      ['Image Sharing', '/image-sharing'],
    ],
  },
]

/** What the community is about, with ways into the site. */
export function Features() {
  return (
    <div className={`wrap ${styles.features}`}>
      {features.map(({ icon: Icon, title, text, links }) => (
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
