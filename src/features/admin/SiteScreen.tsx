import { ChevronDown } from 'lucide-react'
import type { Branding, SiteValue } from '#src/contract/siteContent.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { Time } from '#src/ui/Time.tsx'
import { Banners, Colours, Images } from './SiteLook.tsx'
import { Section } from './screenParts.tsx'
import styles from './screens.module.css'

/** Shows the values and files in force, from the site file and the operator's folder. */
export function SiteScreen() {
  const query = usePrivateQuery(['branding'], (client) => client.site.operations.branding.query())
  return (
    <QueryResult query={query} failed={t('branding.load')}>
      {(branding) => (
        <div className="stack">
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
          <Section title={t('board.images')}>
            <Images {...branding} />
          </Section>
          <Section title={t('branding.banners')}>
            <Banners banners={branding.banners} />
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

function Pages({ pages, posts }: Pick<Branding, 'pages' | 'posts'>) {
  if (pages.length + posts.length === 0) return <p className="hint">{t('branding.noContent')}</p>
  return (
    <ul className={`divided ${styles.list}`}>
      {pages.map(({ title, path }) => (
        <li key={path} className="spread">
          <a href={path}>{title}</a>
          <span className="data">{path}</span>
        </li>
      ))}
      {posts.map(({ title, path, publishedAt, isScheduled }) => (
        <li key={path} className="spread">
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

/** Lists the fields of the site file. Those with a default are folded. */
function SiteValues({ values }: { values: SiteValue[] }) {
  const defaults = values.filter(({ isDefault }) => isDefault)
  const changed = values.filter(({ isDefault }) => !isDefault)
  return (
    <>
      <p>{t('branding.valuesSet', { count: changed.length })}</p>
      <ValueList values={changed} />
      <details className={styles.runs}>
        <summary>
          <ChevronDown className="icon icon-s chevron" />
          {t('branding.defaults', { count: defaults.length })}
        </summary>
        <ValueList values={defaults} />
      </details>
    </>
  )
}

function ValueList({ values }: { values: SiteValue[] }) {
  return (
    <dl className={`divided ${styles.values}`}>
      {values.map(({ field, value }) => (
        <div key={field}>
          <dt className="data">{field}</dt>
          <dd>{value ?? t('branding.none')}</dd>
        </div>
      ))}
    </dl>
  )
}
