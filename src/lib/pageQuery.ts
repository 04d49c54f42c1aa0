import type { QueryFunctionContext, QueryKey, QueryObserver } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { whenIdle } from './whenIdle.ts'

type PageQuery<Data> = {
  /** must include the version of `initialData`, so that newer page data starts a new query */
  queryKey: QueryKey
  queryFn: (context: QueryFunctionContext) => Promise<Data>
  initialData: Data
}

/**
 * Works like `useQuery`, starting with the data of the rendered page. Loads React Query (10 kB gzip) only when the page
 * is idle or the data changes, so that the library does not delay the first visit.
 * @returns `update` changes the cached data; `refetch` resolves to the new data, or to undefined on failure
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
      // Repeats changes made during the fetch, because the response may be older than the changes.
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
