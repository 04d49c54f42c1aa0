import { useMemo } from 'react'
import type { PageEvent, Topic } from '#src/contract/events.ts'
import { createStore } from './store.ts'
import { useEvents } from './useEvents.ts'

type LiveData<Data> = {
  /** the data of the rendered page, which contains this event */
  initialData: Data
  lastEventId: string
  /** tells apart pages that have the same last event */
  key?: string | number | undefined
  /** reads the data again */
  read: () => Promise<Data>
  topic: Topic
  /** whether a change of the topic changes the data; by default, each does */
  isChange?: (change: PageEvent['change']) => boolean
}

/**
 * Returns the data of a page, and keeps it current with events.
 * @returns `update` changes the data; `refetch` resolves to the new data, or to undefined on failure
 */
export function useLiveData<Data>({ initialData, lastEventId, key = '', read, topic, isChange }: LiveData<Data>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: they identify the data; newer data of the page starts again
  const { useValue, update, refetch, follow } = useMemo(() => createLiveData(initialData, read), [lastEventId, key])
  const onEvent = ({ change }: PageEvent, refetchSoon: () => void) => {
    if (isChange?.(change) ?? true) refetchSoon()
  }
  useEvents({ topics: [topic], lastEventId, onEvent, refetch: follow })
  return { data: useValue(), update, refetch }
}

/** Returns a list, and functions that change it before the events of the changes arrive. */
export function useLiveList<Item extends { id: number | string }>(options: LiveData<Item[]>) {
  const { data, update, refetch } = useLiveData(options)
  return {
    items: data,
    append: (added: Item) => update((items) => [...items.filter(({ id }) => id !== added.id), added]),
    replace: (edited: Item) => update((items) => items.map((item) => (item.id === edited.id ? edited : item))),
    remove: (removed: Item['id']) => update((items) => items.filter(({ id }) => id !== removed)),
    /** Resolves to the latest version of an item, or undefined if it was deleted or the request failed. */
    refetchItem: async (wanted: Item['id']) => (await refetch())?.find(({ id }) => id === wanted),
  }
}

export function createLiveData<Data>(initialData: Data, read: () => Promise<Data>) {
  type Change = (data: Data) => Data
  const { get, set, useValue } = createStore(initialData)
  /** made since the latest refetch began: its response may be older */
  let changes: Change[] = []

  function update(change: Change): void {
    changes.push(change)
    set(change(get()))
  }

  /** Rejects if the data cannot be read: `useEvents` then tries again. */
  async function follow(): Promise<Data> {
    const own: Change[] = []
    changes = own
    const fetched = await read()
    // Ignores the response if a newer refetch has begun.
    if (changes === own) set(own.reduce<Data>((data, change) => change(data), fetched))
    return get()
  }

  return { get, useValue, update, follow, refetch: () => follow().catch(() => undefined) }
}
