import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { connectSource, type RawSource, until } from '#tests/helpers/liveSources.ts'
import { framesOf } from '#tests/helpers/mp3.ts'
import { createBoardWithThread } from '#tests/helpers/siteClient.ts'
import { ADMIN, readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'
import { addStreamerTo } from '#tests/helpers/streamers.ts'

const KILLS = 1
const SECONDS = 3
const FRAMES_PER_SECOND = 44_100 / 1152
const FRAMES_PER_ROUND = Math.floor(SECONDS * FRAMES_PER_SECOND)
const STREAMERS = '/api/radio/station/1/streamers'

let place: TestDatabase
let site: SiteProcess
beforeAll(async () => {
  place = await testDatabase()
})
afterAll(async () => {
  await site.stop()
  await place.cleanup()
})

/** Connects as a program does that reconnects by itself. */
async function goLive(): Promise<RawSource> {
  const source = connectSource(Number(new URL(site.origin).port), { name: 'ferrite' })
  await until(() => source.answer().startsWith('HTTP/1.0 200'))
  return source
}

const read = async (path: string) => readJson(await fetch(site.origin + path))

/** Waits until the grace for a reconnection is over. */
async function readRecordings(): Promise<{ path: string }[]> {
  let found: { path: string }[] = []
  await until(async () => {
    const { streamers } = await read(STREAMERS)
    if (streamers.length === 0) return false
    const path = `/api/radio/station/1/streamer/${streamers[0].id}/broadcast`
    const { broadcasts } = await read(`${path}s`)
    found = broadcasts.map(({ id }: { id: number }) => ({ path: `${path}/${id}/download` }))
    return broadcasts.every(({ recording }: { recording: unknown }) => recording !== null)
  })
  return found
}

test('killed in mid-show, a show stays one recording and one thread, and loses a second at most', async () => {
  const frames = framesOf({ seconds: SECONDS * (KILLS + 1) })
  let threads = ''
  for (let round = 0; round <= KILLS; round++) {
    site = await spawnSite(place, { SHOW_BOARD: 'shows' })
    if (round === 0) {
      ;({ threads } = await createBoardWithThread(site.origin, 'Shows'))
      await addStreamerTo(place, ADMIN.email, 'ferrite')
    }
    const source = await goLive()
    await source.play(frames.slice(round * FRAMES_PER_ROUND, (round + 1) * FRAMES_PER_ROUND))
    if (round < KILLS) await site.stop('SIGKILL')
    else source.stop()
  }
  const recordings = await readRecordings()
  expect(recordings).toHaveLength(1)
  const sound = await fetch(site.origin + (recordings[0]?.path ?? ''))
  const recorded = createAudioParser('audio/mpeg')?.push(Buffer.from(await sound.arrayBuffer())) ?? []
  const positions = recorded.map(({ bytes }) => frames.findIndex((frame) => frame.equals(bytes)))
  expect(positions).toEqual([...positions].sort((a, b) => a - b))
  for (let round = 0; round <= KILLS; round++) {
    const kept = positions.filter((position) => Math.floor(position / FRAMES_PER_ROUND) === round)
    expect(FRAMES_PER_ROUND - kept.length).toBeLessThanOrEqual(FRAMES_PER_SECOND)
  }
  const { threads: listed } = await read(threads)
  expect(listed.filter(({ title }: { title: string }) => title.startsWith('ferrite'))).toHaveLength(1)
})
