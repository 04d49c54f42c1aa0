import { Link2 } from 'lucide-react'
import styles from './PostLinks.module.css'

/** The links a post was given. */
export function PostLinks({ links }: { links: string[] }) {
  if (links.length === 0) return null
  return (
    <ul className={styles.links}>
      {[...new Set(links)].map((link) => (
        <li key={link}>
          <a className={styles.link} href={link} title={link} target="_blank" rel="nofollow ugc noopener">
            <Link2 className="icon icon-s" />
            <span>{link.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
