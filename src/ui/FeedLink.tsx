import { Rss } from 'lucide-react'
import { ButtonLink } from './Button.tsx'

/** Link to the Atom feed of a page; in a tab of its own, for it is no page, and the radio shall go on in this one. */
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
