import type { AuthUser } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { apart } from '#src/ui/Apart.tsx'
import { useSite } from '#src/ui/site.ts'
import styles from './Footer.module.css'

export function Footer({ user }: { user: AuthUser | null }) {
  const { name, boardsName, links, footerLinks, pages, abuseContact } = useSite()
  return (
    <footer className={styles.footer}>
      <div className={`wrap cluster ${styles.row}`}>
        <p className="data">{t('site.footerLine', { name })}</p>
        <nav className={`cluster ${styles.links}`} aria-label={t('site.footer')}>
          <a href="/dtpchan">{boardsName}</a> <a href={user ? '/account' : '/login'}>{user?.email ?? t('ui.login')}</a>{' '}
          <a href="/report" rel="nofollow">
            {t('site.reportAbuse')}
          </a>{' '}
          {abuseContact && <a href={abuseContact}>{t('site.contact')}</a>}{' '}
          {apart(
            pages.map(({ slug, title }) => (
              <a key={slug} href={`/${slug}`}>
                {title}
              </a>
            )),
          )}
          {apart(
            footerLinks.map(({ label, url }) => (
              <a key={label} href={url}>
                {label}
              </a>
            )),
          )}
          {links.code && <a href={links.code}>{t('site.sourceCode')}</a>}{' '}
          {links.microblog && (
            <a href={links.microblog} rel="me">
              {t('site.microblog')}
            </a>
          )}
        </nav>
      </div>
    </footer>
  )
}
