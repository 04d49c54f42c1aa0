import type { Waiting } from '#src/contract/queue.ts'
import { createStore } from '#src/lib/store.ts'

/** What waits for the user; null for visitors, and for members who moderate no board. All pages load this file. */
export const waitingStore = createStore<Waiting | null>(null)

export const useWaiting = waitingStore.useValue
