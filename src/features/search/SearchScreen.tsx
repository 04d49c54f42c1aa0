import { type SearchBoard, type SearchPage, searchMessages } from '#src/contract/search.ts'
import { type SearchFields, searchPath } from '#src/contract/searchPaths.ts'
import { parseSearchQuery } from '#src/contract/searchQuery.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { useBoardsCrumb } from '#src/ui/useBoardsCrumb.ts'
import { SearchForm } from './SearchForm.tsx'
import { SearchHelp } from './SearchHelp.tsx'
import { SearchResult } from './SearchResult.tsx'
import styles from './SearchScreen.module.css'

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
        trail={[boardsCrumb, { label: 'Search' }]}
        title="Search"
        lead="Finds threads, comments and replies."
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
        Results
      </h2>
      {hits.length === 0 ? (
        <EmptyState>{isComplete ? searchMessages.none : searchMessages.noneOfNewest}</EmptyState>
      ) : (
        <>
          <p className={styles.order}>
            {fields.sort === 'date' ? 'Newest first' : 'Best match first'}
            {!isComplete && ', among the newest matches'}
          </p>
          <ol className={styles.list}>
            {hits.map((hit) => (
              <SearchResult key={hit.postId} hit={hit} terms={terms} />
            ))}
          </ol>
        </>
      )}
      <Pagination
        previous={cursor === undefined ? undefined : searchPath(fields)}
        previousLabel="First page"
        next={nextCursor === null ? undefined : searchPath(fields, nextCursor)}
        nextLabel="More posts"
      />
    </section>
  )
}
