import { Rss } from 'lucide-react'
import { ButtonLink } from './Button.tsx'

/** Opens an Atom feed in a new tab, so that the radio keeps playing in this tab. */
export function FeedLink({ href, className }: { href: string; className?: string }) {
  return (
    <ButtonLink
      className={className}
      variant="text"
      href={href}
      type="application/atom+xml"
      target="_blank"
      rel="noopener"
    >
      <Rss className="icon icon-s" />
      Atom feed
      <span className="visually-hidden"> (opens in a new tab)</span>
    </ButtonLink>
  )
}
