import { useSite } from '#src/ui/site.tsx'
import styles from './Footer.module.css'

export function Footer() {
  const { name, boardsName, links, footerLinks, pages, abuseContact } = useSite()
  return (
    <footer className={styles.footer}>
      <div className={`wrap ${styles.row}`}>
        <p className="data">{name}, on IRC and on air</p>
        <nav className={styles.links} aria-label="Footer">
          <a href="/dtpchan">{boardsName}</a>
          <a href="/login">Login</a>
          <a href="/report" rel="nofollow">
            Report abuse
          </a>
          {abuseContact && <a href={abuseContact}>Contact</a>}
          {pages.map(({ slug, title }) => (
            <a key={slug} href={`/${slug}`}>
              {title}
            </a>
          ))}
          {footerLinks.map(({ label, url }) => (
            <a key={label} href={url}>
              {label}
            </a>
          ))}
          {links.code && <a href={links.code}>Source code</a>}
          {links.microblog && (
            <a href={links.microblog} rel="me">
              Microblog
            </a>
          )}
        </nav>
      </div>
    </footer>
  )
}
