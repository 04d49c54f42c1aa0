import { BANNER, bannerPath } from '#src/contract/siteImages.ts'
import { t } from '#src/i18n/t.ts'
import styles from './BoardBanner.module.css'

/** The server answers each page with another banner. */
export function BoardBanner({ boardId, page }: { boardId: string; page: string }) {
  return (
    <img
      className={styles.banner}
      src={bannerPath(boardId, page)}
      alt={t('branding.bannerAlt', { board: boardId })}
      loading="lazy"
      {...BANNER}
    />
  )
}
