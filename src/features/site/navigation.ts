import {
  Archive,
  AudioWaveform,
  House,
  Image,
  Info,
  KeyRound,
  Lock,
  type LucideIcon,
  MessageSquare,
  Newspaper,
  Package,
  PenLine,
  Volume2,
} from 'lucide-react'
import type { SiteFacts } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'

export type NavItem = { label: string; href: string; icon: LucideIcon }

export const listMainItems = (): NavItem[] => [
  { label: t('ui.home'), href: '/', icon: House },
  { label: t('site.about'), href: '/about', icon: Info },
  { label: t('site.radio'), href: '/radio', icon: Volume2 },
  { label: t('site.archive'), href: '/archive', icon: Archive },
  { label: t('site.visualiser'), href: '/visualizer', icon: AudioWaveform },
]

export const listNewsItems = ({ blogName, boardsName }: Pick<SiteFacts, 'blogName' | 'boardsName'>): NavItem[] => [
  { label: t('news.title'), href: '/today-in-tech', icon: Newspaper },
  { label: blogName, href: '/debauched-blog', icon: PenLine },
  { label: boardsName, href: '/dtpchan', icon: MessageSquare },
]

export const listToolItems = (): NavItem[] => [
  { label: t('site.pasteService'), href: '/paste-service', icon: Lock },
  { label: t('site.programsWeLove'), href: '/programs-we-love', icon: Package },
  { label: t('password.title'), href: '/password-generator', icon: KeyRound },
  { label: t('site.imageSharing'), href: '/image-sharing', icon: Image },
]

/** Maps URL prefixes to parent pages, for pages whose URL does not start with the parent's URL. */
const sections: Record<string, string> = {
  '/paste/': '/paste-service',
  '/image-share/': '/image-sharing',
  '/search': '/dtpchan',
}

export function ariaCurrent(href: string, path: string): 'page' | 'true' | undefined {
  if (path === href) return 'page'
  if (href !== '/' && path.startsWith(`${href}/`)) return 'true'
  return Object.entries(sections).some(([start, section]) => section === href && path.startsWith(start))
    ? 'true'
    : undefined
}
