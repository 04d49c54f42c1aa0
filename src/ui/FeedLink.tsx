import { Rss } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from './Button.tsx'

type FeedLinkProps = { href: string; label?: string; type?: string; className?: string }

/** Opens a feed in a new tab, so that the radio keeps playing in this tab. */
export function FeedLink({ href, label = t('ui.atomFeed'), type = 'application/atom+xml', className }: FeedLinkProps) {
  return (
    <ButtonLink className={className} variant="text" href={href} type={type} target="_blank" rel="noopener">
      <Rss className="icon icon-s" />
      {label}
      <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
    </ButtonLink>
  )
}
