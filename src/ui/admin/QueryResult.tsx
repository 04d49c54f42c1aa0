import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import type { PrivateQuery } from '#src/lib/privateQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'

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
  return (
    <>
      {error && (
        <div className="stack">
          <Alert>{errorText(error, failed)}</Alert>
          <Button busy={isFetching} onClick={() => void refetch()}>
            <RotateCw className="icon" />
            {t('ui.tryAgain')}
          </Button>
        </div>
      )}
      {data !== undefined
        ? children(data)
        : !error && (
            <p className="hint" role="status">
              {t('ui.loading')}
            </p>
          )}
    </>
  )
}
