import { RotateCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
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

/** Shows the data of a query, or that it is loading. Says why a load failed, also while it still shows older data. */
export function QueryResult<Data>({
  query: { data, error, isFetching, refetch },
  failed,
  children,
}: QueryResultProps<Data>) {
  // Without data, a query forgets its error while it tries again. The message stays until the answer.
  const [shown, setShown] = useState(error)
  if (!isFetching && shown !== error) setShown(error)

  // The button disappears.
  async function tryAgain(button: Element) {
    const moveFocus = prepareNeighbourFocus(button.closest('.stack'))
    if ((await refetch()).isSuccess) moveFocus()
  }

  return (
    <>
      {shown && (
        <div className="stack">
          <Alert>{errorText(shown, failed)}</Alert>
          <Button busy={isFetching} onClick={({ currentTarget }) => void tryAgain(currentTarget)}>
            <RotateCw className="icon" />
            {t('ui.tryAgain')}
          </Button>
        </div>
      )}
      {data !== undefined
        ? children(data)
        : !shown && (
            <p className="hint" role="status">
              {t('ui.loading')}
            </p>
          )}
    </>
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
