import type { Branding } from '#src/contract/siteContent.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { Time } from '#src/ui/Time.tsx'
import { Section } from './Section.tsx'
import { SiteBanners } from './SiteBanners.tsx'
import styles from './SiteScreen.module.css'
import { SiteValues } from './SiteValues.tsx'
import screens from './screens.module.css'

/** Shows the values and files in force, from the site file and the operator's folder. */
export function SiteScreen() {
  const query = usePrivateQuery(['branding'], (client) => client.site.operations.branding.query())
  return (
    <QueryResult query={query} failed={t('branding.load')}>
      {(branding) => (
        <div className={screens.screen}>
          {branding.problems.length > 0 && (
            <Section title={t('branding.problems')}>
              <Rows label={t('branding.problems')}>
                {branding.problems.map(({ name, reason }) => (
                  <Row key={name} title={name} heading="h3" text={reason} />
                ))}
              </Rows>
            </Section>
          )}
          <Section title={t('branding.siteFile')}>
            <Facts facts={fileFacts(branding)} />
            <SiteValues values={branding.values} />
          </Section>
          <Section title={t('branding.colours')}>
            <Colours {...branding.accent} />
          </Section>
          <Section title={t('branding.images')}>
            <Images {...branding} />
          </Section>
          <Section title={t('branding.banners')}>
            <SiteBanners banners={branding.banners} />
          </Section>
          <Section title={t('branding.pages')}>
            <Pages {...branding} />
          </Section>
        </div>
      )}
    </QueryResult>
  )
}

function fileFacts({ siteFile, folder, languages }: Branding): Fact[] {
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'language' })
  return [
    [t('branding.siteFile'), siteFile ?? t('branding.none')],
    [t('branding.folder'), folder],
    [t('branding.languages'), languages.map((language) => names.of(language)).join(', ')],
  ]
}

const formatRatio = (ratio: number) => formatNumber(ratio, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

function Colours({ colour, contrast, shades }: Branding['accent']) {
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

function Images({ logo, darkLogo, logoHasName, icon, background }: Branding) {
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
      <div className={styles.images}>
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

function Pages({ pages, posts }: Pick<Branding, 'pages' | 'posts'>) {
  if (pages.length + posts.length === 0) return <p className="hint">{t('branding.noContent')}</p>
  return (
    <ul className={screens.list}>
      {pages.map(({ title, path }) => (
        <li key={path}>
          <a href={path}>{title}</a>
          <span className="data">{path}</span>
        </li>
      ))}
      {posts.map(({ title, path, publishedAt, isScheduled }) => (
        <li key={path}>
          {isScheduled ? title : <a href={path}>{title}</a>}
          <span className="data">
            {isScheduled && `${t('branding.scheduled')} · `}
            <Time date={publishedAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}
