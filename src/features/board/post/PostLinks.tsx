import { SpriteIcon } from '#src/ui/SvgSprite.tsx'
import styles from './PostLinks.module.css'

export function PostLinks({ links }: { links: string[] }) {
  if (links.length === 0) return null
  return (
    <ul className={styles.links}>
      {[...new Set(links)].map((link) => (
        <li key={link}>
          <a className={styles.link} href={link} title={link} target="_blank" rel="nofollow ugc noopener">
            <SpriteIcon name="link" />
            <span>{link.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
