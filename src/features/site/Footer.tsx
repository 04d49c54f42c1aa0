import styles from './Footer.module.css'
import { useSite } from './site.tsx'

export function Footer() {
  const { name, links, abuseContact } = useSite()
  return (
    <footer className={styles.footer}>
      <div className={`wrap ${styles.row}`}>
        <p className="data">{name}, on IRC and on air</p>
        <nav className={styles.links} aria-label="Footer">
          <a href="/dtpchan">DTPChan</a>
          <a href="/login">Login</a>
          <a href="/report" rel="nofollow">
            Report abuse
          </a>
          {abuseContact && <a href={abuseContact}>Contact</a>}
          <a href={links.code}>Source code</a>
          <a href={links.microblog} rel="me">
            Microblog
          </a>
        </nav>
      </div>
    </footer>
  )
}
