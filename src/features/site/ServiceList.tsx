import { Braces, ChevronRight, Radio } from 'lucide-react'
import { useSite } from '#src/ui/site.tsx'
import { listNewsItems, mainItems, type NavItem, toolItems } from './navigation.ts'
import styles from './ServiceList.module.css'

const services: { href: string; line: string }[] = [
  { href: '/#on-air', line: 'One stream for everyone. The player stays with you from page to page.' },
  { href: '/archive', line: 'Past shows by streamer, to play again or download.' },
  { href: '/visualizer', line: 'Watch the music, full screen.' },
  {
    href: '/dtpchan',
    line: 'Boards for longer talk, anonymous and live. Pick a name, solve a sum, post.',
  },
  { href: '/today-in-tech', line: 'Technology and security news from many sources, newest first.' },
  {
    href: '/paste-service',
    line: 'Text behind an expiring link, encrypted with AES-256. It can burn after reading.',
  },
  {
    href: '/image-sharing',
    line: 'An image behind an expiring link, stripped of location and camera data.',
  },
  { href: '/programs-we-love', line: 'Software we would install again.' },
  { href: '/password-generator', line: 'Made in your browser, sent nowhere.' },
  { href: '/api', line: 'Every call of this site, for your own programs.' },
]

const others: NavItem[] = [
  { label: 'Radio', href: '/#on-air', icon: Radio },
  { label: 'API', href: '/api', icon: Braces },
]
export function ServiceList() {
  const navItems = [...others, ...mainItems, ...listNewsItems(useSite()), ...toolItems]
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
