import { ChevronRight, Radio } from 'lucide-react'
import { mainItems, type NavItem, newsItems, toolItems } from './navigation.ts'
import styles from './ServiceList.module.css'

const services: { href: string; line: string }[] = [
  { href: '/#on-air', line: 'One stream for everybody, with a player that stays with you from page to page.' },
  { href: '/archive', line: 'Past shows by streamer, to hear again or to download.' },
  { href: '/visualizer', line: 'The stream made visible, full screen.' },
  {
    href: '/dtpchan',
    line: 'Boards for longer talk, live and anonymous. A name, one small sum, and your post is up.',
  },
  { href: '/today-in-tech', line: 'Technology and security news from many sources, newest first.' },
  {
    href: '/paste-service',
    line: 'Text behind a link that expires, AES-256 encrypted at rest. It can burn after reading.',
  },
  {
    href: '/image-sharing',
    line: 'A picture behind a link that expires, without the place and camera it came with.',
  },
  { href: '/programs-we-love', line: 'The software we would install again.' },
  { href: '/password-generator', line: 'Made in your browser, sent nowhere.' },
]

const radio: NavItem = { label: 'Radio', href: '/#on-air', icon: Radio }
const navItems = [radio, ...mainItems, ...newsItems, ...toolItems]

export function ServiceList() {
  return (
    <ul className={styles.list}>
      {services.map(({ href, line }) => {
        const item = navItems.find((navItem) => navItem.href === href)
        if (!item) return null
        const { label, icon: Icon } = item
        return (
          <li key={href} className={styles.row}>
            <Icon className={`icon ${styles.icon}`} />
            <a className={styles.name} href={href}>
              {label}
            </a>
            <p className={styles.line}>{line}</p>
            <ChevronRight className={`icon ${styles.arrow}`} />
          </li>
        )
      })}
    </ul>
  )
}
