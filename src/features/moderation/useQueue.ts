import { useEffect, useEffectEvent, useState } from 'react'
import { QUEUE_ITEMS_PER_CALL, type Queue, type QueueItem, type QueueKind } from '#src/contract/queue.ts'
import { type PrivateQuery, usePrivateQuery } from '#src/lib/privateQuery.ts'
import { useWaiting } from './waiting.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * Loads the queue, and keeps the moderator's place in it. Items are identified by their cursors.
 * @param first the item to begin with
 */
export function useQueue(kind: QueueKind | undefined, first: string | undefined) {
  /** the list continues after this item */
  const [after, setAfter] = useState<string>()
  const [postponed, setPostponed] = useState(NONE)
  const [chosen, setChosen] = useState<QueueItem | null>(null)
  /** the items that were decided since the list was loaded */
  const [decided, setDecided] = useState(NONE)
  const query = usePrivateQuery(['queue', kind, after], (client) => client.moderation.queue.query({ kind, after }))
  useQueueChanges(query)

  const items = query.data?.items.filter(({ cursor }) => !decided.has(cursor)) ?? []
  const open = items.filter(({ cursor }) => !postponed.has(cursor))
  // The item stays while the moderator looks at it, even if a more urgent one arrives.
  const current = chosen
    ? (items.find(({ cursor }) => cursor === chosen.cursor) ?? chosen)
    : (open.find(({ cursor }) => cursor === first) ?? open[0] ?? null)
  if (current && !chosen) setChosen(current)

  const last = items.length === QUEUE_ITEMS_PER_CALL && !current ? items.at(-1) : undefined
  useEffect(() => {
    if (last) setAfter(last.cursor)
  }, [last])

  return {
    query,
    current,
    next: open.filter(({ cursor }) => cursor !== current?.cursor),
    isLoading: last !== undefined,
    hasPostponed: after !== undefined || items.length > open.length,
    choose: setChosen,
    /** Goes on after a decision. Loads the list first, because a decision can decide other items, too. */
    finish: async () => {
      const { isError } = await query.refetch()
      setDecided((others) => (isError && current ? new Set([...others, current.cursor]) : NONE))
      setChosen(null)
    },
    postpone: (item: QueueItem) => {
      setPostponed((others) => new Set([...others, item.cursor]))
      setChosen(null)
    },
    restart: () => {
      setPostponed(NONE)
      setAfter(undefined)
      void query.refetch()
    },
  }
}

/** Loads the queue again when it has changed. */
export function useQueueChanges({ data, refetch }: PrivateQuery<Queue>): void {
  const waiting = useWaiting()?.lastEventId
  const loaded = data?.lastEventId
  const follow = useEffectEvent((changed?: string, contained?: string) => {
    // A list that is loading contains the changes that were known before.
    if (contained !== undefined && Number(changed ?? 0) > Number(contained)) void refetch()
  })
  useEffect(() => follow(waiting, loaded), [waiting, loaded])
}
