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
} from 'lucide-react'
import type { SiteFacts } from '#src/contract/site.ts'

export type NavItem = { label: string; href: string; icon: LucideIcon }

export const mainItems: NavItem[] = [
  { label: 'Home', href: '/', icon: House },
  { label: 'About', href: '/about', icon: Info },
  { label: 'Archive', href: '/archive', icon: Archive },
  { label: 'Visualiser', href: '/visualizer', icon: AudioWaveform },
]

export const listNewsItems = ({ blogName, boardsName }: Pick<SiteFacts, 'blogName' | 'boardsName'>): NavItem[] => [
  { label: 'Today in Tech', href: '/today-in-tech', icon: Newspaper },
  { label: blogName, href: '/debauched-blog', icon: PenLine },
  { label: boardsName, href: '/dtpchan', icon: MessageSquare },
]

export const toolItems: NavItem[] = [
  { label: 'Paste Service', href: '/paste-service', icon: Lock },
  { label: 'Programs We Love', href: '/programs-we-love', icon: Package },
  { label: 'Password Generator', href: '/password-generator', icon: KeyRound },
  { label: 'Image Sharing', href: '/image-sharing', icon: Image },
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
