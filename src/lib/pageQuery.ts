import type { QueryFunctionContext, QueryKey, QueryObserver } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { whenIdle } from './whenIdle.ts'

type PageQuery<Data> = {
  /** includes the version of `initialData`, so that newer data of the page starts a new query */
  queryKey: QueryKey
  queryFn: (context: QueryFunctionContext) => Promise<Data>
  initialData: Data
}

/**
 * Works like `useQuery` for the data that a page was rendered with. React Query (10 kB gzip) is loaded when the page is
 * idle or when its data first changes, so that it does not delay a first visit.
 * @returns `update` changes the cached data; `refetch` resolves to the new data, or to undefined if that failed
 */
export function usePageQuery<Data>(options: PageQuery<Data>) {
  const key = JSON.stringify(options.queryKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query
  const query = useMemo(() => createPageQuery(options), [key])
  const data = useSyncExternalStore(query.subscribe, query.getData, query.getData)
  return { data, update: query.update, refetch: query.refetch }
}

export function createPageQuery<Data>(options: PageQuery<Data>) {
  type Change = (data: Data) => Data
  const { queryKey, initialData } = options
  let observer: QueryObserver<Data> | undefined
  let unsubscribe = () => {}
  let onChange = () => {}
  let changesDuringFetch: Change[] | undefined

  async function queryFn(context: QueryFunctionContext): Promise<Data> {
    const changes: Change[] = []
    changesDuringFetch = changes
    try {
      const fetched: Data = await options.queryFn(context)
      // The server may have answered before these changes.
      return changes.reduce<Data>((data, change) => change(data), fetched)
    } finally {
      if (changesDuringFetch === changes) changesDuringFetch = undefined
    }
  }

  async function load() {
    const { QueryObserver, queryClient } = await import('./reactQuery.ts')
    if (!observer) {
      observer = new QueryObserver<Data>(queryClient, { queryKey, queryFn, initialData })
      unsubscribe = observer.subscribe(() => onChange())
      onChange()
    }
    return { observer, queryClient }
  }

  function subscribe(listener: () => void) {
    onChange = listener
    const cancel = whenIdle(() => void load().catch(() => {}))
    return () => {
      onChange = () => {}
      cancel()
      unsubscribe()
    }
  }

  return {
    subscribe,
    getData: () => observer?.getCurrentResult().data ?? initialData,
    async update(change: Change): Promise<void> {
      changesDuringFetch?.push(change)
      const { queryClient } = await load()
      queryClient.setQueryData<Data>(queryKey, (data) => change(data ?? initialData))
    },
    async refetch(): Promise<Data | undefined> {
      const { observer } = await load()
      const { data, isError } = await observer.refetch()
      return isError ? undefined : data
    },
  }
}
