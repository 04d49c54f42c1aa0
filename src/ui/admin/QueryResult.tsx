import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import type { PrivateQuery } from '#src/lib/privateQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Rows } from './Rows.tsx'

type QueryResultProps<Data> = {
  query: PrivateQuery<Data>
  /** message if the server does not give a reason */
  failed: string
  children: (data: Data) => ReactNode
}

/** Shows the data of a query, or that it is loading, or why it failed. */
export function QueryResult<Data>({
  query: { data, error, isFetching, refetch },
  failed,
  children,
}: QueryResultProps<Data>) {
  if (data !== undefined) return children(data)
  if (!error) {
    return (
      <p className="hint" role="status">
        {t('ui.loading')}
      </p>
    )
  }
  return (
    <div className="stack">
      <Alert>{errorText(error, failed)}</Alert>
      <Button busy={isFetching} onClick={() => void refetch()}>
        <RotateCw className="icon" />
        {t('ui.tryAgain')}
      </Button>
    </div>
  )
}

type QueryRowsProps<Data, Item> = Omit<QueryResultProps<Data>, 'children'> & {
  /** names the list */
  label: string
  items: (data: Data) => Item[]
  /** shown if there are no items; by default, an empty list */
  empty?: ReactNode
  children: (item: Item, index: number, items: Item[]) => ReactNode
}

/** Shows the items of a query as rows. */
export const QueryRows = <Data, Item>({ label, items, empty, children, ...result }: QueryRowsProps<Data, Item>) => (
  <QueryResult {...result}>
    {(data) =>
      empty && items(data).length === 0 ? (
        <EmptyState>{empty}</EmptyState>
      ) : (
        <Rows label={label}>{items(data).map(children)}</Rows>
      )
    }
  </QueryResult>
)
