import { vi } from 'vitest'
import type { OpenBroadcast, StoredTrack } from '#server/features/radio/broadcastRows.ts'
import { createLive } from '#server/features/radio/mix/createLive.ts'
import type { ScheduledShow } from '#server/features/show/service.ts'
import { framesOf } from './mp3.ts'

export const now = () => new Date()
export const frames = (seconds: number) => Buffer.concat(framesOf({ seconds }))
export const show = (id: number): ScheduledShow => ({ id, title: `Show ${id}`, startsAt: now(), endsAt: now() })

/** The live sources of a site whose database and schedule the test controls. It needs fake timers. */
export function createLiveSite(open: OpenBroadcast[] = [], tracks: StoredTrack[] = []) {
  const events: string[] = []
  const ended: { id: number; endedAt: Date }[] = []
  const shows = new Map<string, ScheduledShow>()
  const state = { isDown: false, inserted: 0, refreshed: Promise.resolve() }
  const live = createLive({
    maxSources: 8,
    rows: {
      insert: async ({ streamer: { userId }, showId = null, title = null, startedAt, type, isForced = false }) => {
        if (state.isDown) throw new Error('the database does not answer')
        state.inserted += 1
        const id = 100 + state.inserted
        open.push({ id, userId, showId, title, startedAt, type, seconds: 0, aliveAt: startedAt, isForced })
        return id
      },
      refresh: async (id) => {
        await state.refreshed
        for (const row of open) if (row.id === id) row.aliveAt = now()
        return true
      },
      force: async (id) => {
        for (const row of open) if (row.id === id) row.isForced = true
      },
      end: async (id, endedAt) => {
        if (state.isDown) throw new Error('the database does not answer')
        ended.push({ id, endedAt })
      },
      listOpen: async () => {
        if (state.isDown) throw new Error('the database does not answer')
        return structuredClone(open.filter(({ id }) => !ended.some((row) => row.id === id)))
      },
      listTracks: async () => tracks,
    },
    findShow: async (userId) => shows.get(userId) ?? null,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    now,
  })
  const log = (name: string) => (info: { broadcastId: number; streamer: { name: string } }) =>
    void events.push(`${name} ${info.broadcastId} ${info.streamer.name}`)
  live.observe({ onStart: log('start'), onInterrupt: log('interrupt'), onResume: log('resume'), onEnd: log('end') })

  /** Connects a source that has sent a second of sound. */
  async function connect(name: string, { sound = frames(1), type = 'audio/mpeg', isTest = false } = {}) {
    const pieces: (Buffer | null)[] = [sound]
    let wake = () => {}
    async function* body() {
      for (;;) {
        const piece = pieces.shift()
        if (piece === null) return
        if (piece) yield piece
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    }
    const send = async (piece: Buffer | null) => {
      pieces.push(piece)
      wake()
      await vi.advanceTimersByTimeAsync(0)
    }
    const abort = new AbortController()
    const streamer = { userId: name, name }
    const run = live.accept({ streamer, mount: '/live', isTest, client: '', contentType: type }, abort)
    const closed = run(body()).catch(() => {})
    abort.signal.addEventListener('abort', () => void send(null))
    await vi.advanceTimersByTimeAsync(0)
    return { send, stop: () => send(null), closed, isEnded: () => abort.signal.aborted }
  }
  const states = () => live.sources().map(({ streamer, state }) => `${streamer.name} ${state}`)
  const idOf = (name: string) => live.sources().find(({ streamer }) => streamer.name === name)?.id ?? ''
  return { live, events, ended, shows, state, connect, states, idOf }
}

export const openRow = (id: number, userId: string, isForced = false): OpenBroadcast => ({
  ...{ id, userId, showId: null, title: null, startedAt: now(), type: 'audio/mpeg', aliveAt: now(), isForced },
  seconds: 0,
})
