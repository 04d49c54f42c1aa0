import { join } from 'node:path'
import { broadcast } from '#db/schema/index.ts'
import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { BroadcastObserver, OnAir } from '#server/features/radio/mix/types.ts'
import { framesOf, type Mp3Options } from './mp3.ts'
import type { TestSite } from './site.ts'

/** Stands for the live side: the test calls `emit` with what happens on air. */
export function createFakeLive() {
  const observers = new Set<BroadcastObserver>()
  return {
    observe(observer: BroadcastObserver) {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    emit<Name extends keyof BroadcastObserver>(name: Name, ...args: Parameters<Required<BroadcastObserver>[Name]>) {
      for (const observer of observers) (observer[name] as (...values: typeof args) => void)?.(...args)
    },
  }
}

export const STREAMER = { userId: 'user', name: 'DJ Live' }

export const onAir = (broadcastId: number, change: Partial<OnAir> = {}): OnAir => ({
  broadcastId,
  stationId: 1,
  streamer: STREAMER,
  showId: null,
  title: null,
  startedAt: new Date('2026-11-20T20:00:00Z'),
  type: 'audio/mpeg',
  ...change,
})

type Row = typeof broadcast.$inferInsert

/** Inserts the row of a running broadcast, as the live side does. @returns its id */
export async function insertBroadcast({ app }: Pick<TestSite, 'app'>, change: Partial<Row> = {}): Promise<number> {
  const [row] = await app.services.db
    .insert(broadcast)
    .values({
      stationId: 1,
      streamerName: STREAMER.name,
      startedAt: new Date('2026-11-20T20:00:00Z'),
      type: 'audio/mpeg',
      ...change,
    })
    .returning({ id: broadcast.id })
  if (!row) throw new Error('INSERT returned no broadcast')
  return row.id
}

/** Returns the frames of a silent mp3 as the live side parses them. */
export const mp3Frames = (options: Mp3Options): AudioFrame[] => {
  const { sampleRate = 44_100 } = options
  const [version, samples] = sampleRate === 22_050 ? ['2', 576] : ['1', 1152]
  return framesOf(options).map((bytes) => ({
    bytes,
    seconds: samples / sampleRate,
    format: `MPEG-${version} layer 3, ${sampleRate} Hz, 2 ch`,
  }))
}

export const recordingPath = (dataDir: string, file: string) => join(dataDir, 'radio', 'recordings', file)
