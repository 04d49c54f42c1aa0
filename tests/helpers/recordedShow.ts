import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '#db/client.server.ts'
import { board, broadcast, broadcastTrack, post, thread } from '#db/schema/index.ts'
import type { TestDatabase } from './databases.ts'
import { silence } from './endlessSound.ts'

export const SHOW = { title: 'Night of the modems', streamer: 'DJ Carrier', seconds: 600 }
export const TRACKS = [
  { seconds: 0, artist: 'The Handshakes', title: 'Opening tone' },
  { seconds: 125.5, artist: '', title: 'Train <b>on</b> me' },
  {
    seconds: 300,
    artist: 'Parity & Friends',
    title: 'A title that is so long that it has to wrap in the list of the sheet',
  },
  { seconds: 480, artist: 'Kermit', title: 'No carrier' },
]

/** Adds a recorded show with tracks and a thread, before the site starts. */
export async function addRecordedShow(location: TestDatabase): Promise<void> {
  const handle = await openDatabase(location)
  const startedAt = new Date('2026-11-20T20:00:00Z')
  const at = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000)
  await handle.db.insert(board).values({ id: 'shows', name: 'Shows', description: 'Talk about shows' })
  await handle.db.insert(thread).values({ id: 1, boardId: 'shows', title: SHOW.title, lastActivity: at(500) })
  const written = [0, 60, 200, 210, 500].map((seconds, index) => ({
    ...{ id: index + 1, threadId: 1, parentId: null, author: 'Anonymous', content: 'Nice one' },
    createdAt: at(seconds),
  }))
  await handle.db.insert(post).values(written)
  const sound = silence(SHOW.seconds)
  const [row] = await handle.db
    .insert(broadcast)
    .values({
      ...{ stationId: 1, streamerName: SHOW.streamer, title: SHOW.title, startedAt, endedAt: at(SHOW.seconds) },
      ...{ file: 'pending', type: 'audio/mpeg', bytes: sound.length, seconds: SHOW.seconds, threadId: 1 },
    })
    .returning({ id: broadcast.id })
  const id = row?.id ?? 0
  await handle.db.update(broadcast).set({ file: `${id}-1.mp3` })
  await handle.db.insert(broadcastTrack).values(TRACKS.map((track) => ({ ...track, broadcastId: id })))
  await handle.close()
  const folder = join(location.dataDir, 'radio', 'recordings')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${id}-1.mp3`), sound)
}
