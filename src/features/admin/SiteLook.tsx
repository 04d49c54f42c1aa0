import { BANNER, type BoardBanners, type Branding } from '#src/contract/siteContent.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { type Fact, Facts, Row, Rows } from '#src/ui/admin/Rows.tsx'
import styles from './screens.module.css'

const formatRatio = (ratio: number) => formatNumber(ratio, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

export function Colours({ colour, contrast, shades }: Branding['accent']) {
  return (
    <>
      <Facts
        facts={[
          [t('branding.accent'), colour],
          [t('branding.contrast'), t('branding.ratio', { ratio: formatRatio(contrast) })],
        ]}
      />
      <ul className={styles.shades}>
        {shades.map(({ name, colour, text }) => (
          <li key={name}>
            {/* The policy forbids inline styles, but not attributes of a drawing. */}
            <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width="1" height="1" fill={colour} />
            </svg>
            <span className="data">
              {name} {colour}
            </span>
            {text && (
              <span className="data">
                {t('branding.onColour', { ratio: formatRatio(text.contrast), colour: text.on })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

export function Images({ logo, darkLogo, logoHasName, icon, background }: Branding) {
  const facts: Fact[] = [
    [t('branding.logo'), logo?.file ?? t('branding.mark')],
    ...(darkLogo ? [[t('branding.darkLogo'), darkLogo.file] satisfies Fact] : []),
    [t('branding.icon'), icon.file ?? t('branding.mark')],
    [t('branding.background'), background ?? t('branding.none')],
  ]
  return (
    <>
      <Facts facts={facts} />
      {logoHasName && <p className="hint">{t('branding.logoAlone')}</p>}
      <div className="cluster">
        {logo && (
          <span className={styles.light}>
            <img src={logo.url} width={logo.width} height={logo.height} alt={t('branding.logo')} />
          </span>
        )}
        {logo && (
          <span className={styles.dark}>
            <img src={(darkLogo ?? logo).url} width={logo.width} height={logo.height} alt={t('branding.darkLogo')} />
          </span>
        )}
        <img src={icon.url} width={64} height={64} alt={t('branding.icon')} />
        <img src="/og.png" width={240} height={126} alt={t('branding.background')} />
      </div>
    </>
  )
}

export function Banners({ banners }: { banners: BoardBanners[] }) {
  if (banners.length === 0) return <p className="hint">{t('branding.noBanners')}</p>
  return (
    <Rows label={t('branding.banners')}>
      {banners.map(({ board, isMissing, banners }) => (
        <Row key={board ?? ''} title={board === null ? t('ui.allBoards') : `/${board}/`} heading="h3">
          {isMissing && <p className={styles.failure}>{t('branding.boardMissing')}</p>}
          <div className={`cluster ${styles.banners}`}>
            {banners.map(({ file, url }) => (
              <img key={file} src={url} alt={file} title={file} loading="lazy" {...BANNER} />
            ))}
          </div>
        </Row>
      ))}
    </Rows>
  )
}
