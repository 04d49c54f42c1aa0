import type { PageEvent, Topic } from '#src/contract/events.ts'
import { decorateTitle } from '#src/lib/documentTitle.ts'
import { subscribeEvents } from '#src/lib/events.ts'
import { createThrottle } from '#src/lib/throttle.ts'
import { trpc } from '#src/lib/trpc.ts'
import { saveChanges } from './WatchAlerts.tsx'
import { countUnseenReplies } from './watchState.ts'
import { listOwnIds, watching } from './watchStore.ts'
import { applyEvent, applyUpdates } from './watchUpdates.ts'

/** The event connection has room for these threads besides the page's and the player's topics. */
const MAX_TOPICS = 10
/** Threads beyond that, and threads of hidden tabs, which have no event connection, are asked about this often. */
const CHECK_MS = 120_000
/** Without an event connection, `onStale` is called every 15 s. */
const THROTTLE = { delayMs: () => Math.random() * 1000, intervalMs: 60_000 }

/** Collects changes. The server waits 10 s before it looks for watchers of a new post, which may be the visitor's own. */
const SAVE_THROTTLE = { delayMs: () => 3000, intervalMs: 10_000 }

async function check(): Promise<void> {
  const { threads } = watching.get()
  if (threads.length === 0) return
  const asked = threads.map(({ id, readId }) => `${id}:${readId}`).join()
  const updates = await (await trpc()).board.updates.query({ threads: asked })
  watching.change((state) => {
    const ids = new Set(threads.map(({ id }) => id))
    // Threads that were followed meanwhile are not in the answer.
    const added = state.threads.filter(({ id }) => !ids.has(id))
    const next = applyUpdates(
      { ...state, threads: state.threads.filter(({ id }) => ids.has(id)) },
      updates,
      listOwnIds(),
      Date.now(),
    )
    return { ...next, threads: [...added, ...next.threads] }
  })
}

/** Also if the clock was set back since. */
const isOld = () => Math.abs(Date.now() - watching.get().checkedAt) >= CHECK_MS

/**
 * Keeps the followed threads current, over the page's event connection and with calls for the rest, and shows the number
 * of unseen replies in the page's title.
 * @returns a function that stops it
 */
export function followThreads(): () => void {
  const { request, stop } = createThrottle(check, THROTTLE)
  const saving = createThrottle(saveChanges, SAVE_THROTTLE)
  let topics: Topic[] = []
  let unsubscribe = () => {}

  function onEvent(event: PageEvent) {
    watching.change((state) => applyEvent(state, event, listOwnIds()))
  }

  function update() {
    const state = watching.get()
    const unseen = countUnseenReplies(state)
    decorateTitle('count', (title) => (unseen === 0 ? title : `(${unseen}) ${title}`))
    if (state.hasAlerts) saving.request()
    const live = state.threads.filter((thread) => thread.state === 'live')
    const next = live.slice(0, MAX_TOPICS).map(({ id }): Topic => `thread:${id}`)
    if (next.toSorted().join() === topics.join()) return
    topics = next.toSorted()
    unsubscribe()
    unsubscribe =
      topics.length === 0
        ? () => {}
        : subscribeEvents({ topics, lastEventId: state.lastEventId, onEvent, onStale: request })
  }

  const unwatch = watching.subscribe(update)
  update()
  if (isOld()) request()
  const timer = setInterval(() => {
    const { threads } = watching.get()
    // Another tab may have asked.
    if (isOld() && (document.hidden || threads.length > MAX_TOPICS)) request()
  }, CHECK_MS)
  return () => {
    clearInterval(timer)
    stop()
    saving.stop()
    unwatch()
    unsubscribe()
    decorateTitle('count', (title) => title)
  }
}
