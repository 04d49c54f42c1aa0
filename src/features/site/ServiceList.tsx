import { Braces, ChevronRight, Radio } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { useSite } from '#src/ui/site.tsx'
import { listMainItems, listNewsItems, listToolItems, type NavItem } from './navigation.ts'
import styles from './ServiceList.module.css'

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

export function ServiceList() {
  const navItems = [...listOtherItems(), ...listMainItems(), ...listNewsItems(useSite()), ...listToolItems()]
  return (
    <ul className={styles.list}>
      {listServices().map(({ href, line }) => {
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
