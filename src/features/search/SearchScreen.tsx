import { type SearchBoard, type SearchFields, type SearchPage, searchPath } from '#src/contract/search.ts'
import { parseSearchQuery } from '#src/contract/searchQuery.ts'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { useBoardsCrumb } from '#src/ui/site.ts'
import { SearchForm } from './SearchForm.tsx'
import { SearchResult } from './SearchResult.tsx'
import styles from './search.module.css'

type SearchScreenProps = {
  fields: SearchFields
  /** set if the page does not begin with the first hit */
  cursor: string | undefined
  boards: SearchBoard[]
  /** null without a valid search */
  page: SearchPage | null
  refusal: string | null
}

export function SearchScreen({ fields, cursor, boards, page, refusal }: SearchScreenProps) {
  const boardsCrumb = useBoardsCrumb()
  return (
    <div className="wrap">
      <PageHeader
        compact
        trail={[boardsCrumb, { label: t('search.title') }]}
        title={t('search.title')}
        lead={t('search.lead')}
      />
      <SearchForm key={JSON.stringify(fields)} fields={fields} boards={boards} />
      {refusal !== null && (
        <div className={styles.refusal}>
          <Alert>{refusal}</Alert>
        </div>
      )}
      {page ? <Results fields={fields} cursor={cursor} page={page} /> : <SearchHelp />}
    </div>
  )
}

type ResultsProps = { fields: SearchFields; cursor: string | undefined; page: SearchPage }

function Results({ fields, cursor, page: { hits, nextCursor, isComplete } }: ResultsProps) {
  const { terms } = parseSearchQuery(fields.q)
  return (
    <section aria-labelledby="results">
      <h2 className="visually-hidden" id="results">
        {t('search.results')}
      </h2>
      {hits.length === 0 ? (
        <EmptyState>{isComplete ? t('search.none') : t('search.noneOfNewest')}</EmptyState>
      ) : (
        <>
          {!isComplete && (
            <p className={cx('data', styles.order)}>
              {fields.sort === 'date' ? t('search.newestFirstAmongNewest') : t('search.bestFirstAmongNewest')}
            </p>
          )}
          <ol className="ruled">
            {hits.map((hit) => (
              <SearchResult key={hit.postId} hit={hit} terms={terms} />
            ))}
          </ol>
        </>
      )}
      <Pagination
        previous={cursor === undefined ? undefined : searchPath(fields)}
        previousLabel={t('search.firstPage')}
        next={nextCursor === null ? undefined : searchPath(fields, nextCursor)}
        nextLabel={t('search.morePosts')}
      />
    </section>
  )
}

const EXAMPLES: [example: string, meaning: () => string][] = [
  ['raspberry pi', () => t('search.helpWords')],
  ['"kernel panic"', () => t('search.helpPhrase')],
  ['pi -zero', () => t('search.helpWithout')],
  ['nick:ferrite solder', () => t('search.helpNick')],
  ['nick:"John Doe"', () => t('search.helpNickSpace')],
]

/** Explains the syntax of searches. */
function SearchHelp() {
  return (
    <section className={cx('stack', styles.help)} aria-labelledby="search-help">
      <h2 className="label" id="search-help">
        {t('search.help')}
      </h2>
      <dl className={cx('ruled', styles.examples)}>
        {EXAMPLES.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              <code translate="no">{example}</code>
            </dt>
            <dd className="quiet">{meaning()}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">{t('search.helpNote')}</p>
    </section>
  )
}
