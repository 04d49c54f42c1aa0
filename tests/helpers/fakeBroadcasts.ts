import { eq } from 'drizzle-orm'
import { broadcast, broadcastTrack } from '#db/schema/index.ts'
import type { BroadcastObserver, OnAir } from '#server/features/radio/mix/types.ts'
import type { RadioSource } from '#server/features/radio/types.ts'
import type { TestSite } from './site.ts'

type Start = { streamer?: string; title?: string; showId?: number }

/** Drives an observer as live sources do, with the rows that they and the recorder write. */
export function createBroadcasts(site: TestSite, observer: BroadcastObserver = {}) {
  const { db, now } = site.app.services

  return {
    async start({ streamer = 'Nightowl', title, showId }: Start = {}) {
      const startedAt = now()
      const [row] = await db
        .insert(broadcast)
        .values({ stationId: 1, streamerName: streamer, title, showId, startedAt, type: 'audio/mpeg' })
        .returning()
      if (!row) throw new Error('No row')
      const onAir: OnAir = {
        ...{ broadcastId: row.id, stationId: 1, streamer: { userId: '', name: streamer }, showId: row.showId },
        ...{ title: row.title, startedAt, type: row.type },
      }
      observer.onStart?.(onAir)
      return {
        id: row.id,
        resume: () => observer.onResume?.(onAir),
        play: (artist: string, title: string) => observer.onTitle?.(onAir, { artist, title }),
        /** what the recorder stores */
        addTrack: (seconds: number, artist: string, title: string) =>
          db.insert(broadcastTrack).values({ broadcastId: row.id, seconds, artist, title }),
        read: async () => (await db.select().from(broadcast).where(eq(broadcast.id, row.id)))[0],
        async end() {
          await db.update(broadcast).set({ endedAt: now() }).where(eq(broadcast.id, row.id))
          observer.onEnd?.(onAir)
        },
      }
    },
  }
}

/** A radio without sound, whose archive has the given recordings of a streamer with the id 7. */
export function createSilentSource(streamer = 'Nightowl') {
  const recordings: { id: number; startedAt: Date; endedAt: Date }[] = []
  const live = { isLive: false, streamer: '' }
  const missing = () => Promise.reject(new Error('not part of this test'))
  const source: RadioSource = {
    stations: async () => [{ id: 1, name: 'Station', description: '', listenUrl: '' }],
    nowPlaying: async () => ({ song: null, elapsed: 0, duration: 0, listeners: null, live, history: [] }),
    streamers: async () => [{ id: 7, streamer_username: 'owl', display_name: streamer, comments: null }],
    broadcasts: async () =>
      recordings.map(({ id, startedAt, endedAt }) => ({
        ...{ id, title: null, recording: { size: 1000 } },
        ...{ timestampStart: startedAt.toISOString(), timestampEnd: endedAt.toISOString() },
      })),
    openStream: missing,
    openRecording: missing,
    readArt: missing,
    close: async () => {},
  }
  return { source, recordings, live }
}
