import { BANNER, type BoardBanners } from '#src/contract/siteContent.ts'
import { t } from '#src/i18n/t.ts'
import { Row, Rows } from '#src/ui/admin/Rows.tsx'
import styles from './SiteScreen.module.css'
import screens from './screens.module.css'

export function SiteBanners({ banners }: { banners: BoardBanners[] }) {
  if (banners.length === 0) return <p className="hint">{t('branding.noBanners')}</p>
  return (
    <Rows label={t('branding.banners')}>
      {banners.map(({ board, isMissing, banners }) => (
        <Row key={board ?? ''} title={board === null ? t('branding.allBoards') : `/${board}/`} heading="h3">
          {isMissing && <p className={screens.failure}>{t('branding.boardMissing')}</p>}
          <div className={styles.banners}>
            {banners.map(({ file, url }) => (
              <img key={file} src={url} alt={file} title={file} loading="lazy" {...BANNER} />
            ))}
          </div>
        </Row>
      ))}
    </Rows>
  )
}
