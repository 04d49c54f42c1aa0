import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/client.server.ts'
import { addArticles } from './articles.ts'
import type { BrowserSite } from './browser.ts'
import { silence } from './endlessSound.ts'
import { stillImage } from './sampleImages.ts'
import { createAdminClient } from './siteClient.ts'
import { ADMIN, seed } from './siteProcess.ts'
import { addStreamer } from './streamers.ts'

const BOARD = 'technology'
const DAY_MS = 24 * 60 * 60 * 1000
const THREADS = `/api/dtpchan/boards/${BOARD}/threads`

/** Paths of a site that has content of every kind. */
export type SiteContent = Awaited<ReturnType<typeof createSiteContent>>

/** Adds threads, articles, recordings, a show, pastes, images and entries of the moderation log to a running site. */
export async function createSiteContent({ server: { origin }, location }: BrowserSite) {
  await seed(location, '--threads 12 --comments 6 --pictures 2')
  await addRecording(location.dataDir)
  const database = await openDatabase({ ...location, mode: 'command' })
  const sources = ['lwn.net', 'hackaday.com']
  await addArticles(
    database.db,
    Array.from({ length: 14 }, (_, index) => ({ title: `Article ${index}`, source: sources[index % 2] })),
  )
  await archiveOldestThread(database.db)
  await addStreamer(database.db, ADMIN.email, 'ferrite')
  await database.close()

  const { call, post } = await createAdminClient(origin)
  const pathOf = (url: string) => new URL(url).pathname + new URL(url).search
  async function createPaste(json: object) {
    const { url, deleteUrl } = await call('POST', '/api/paste', { expiryHours: 24, ...json })
    return { path: pathOf(url), deletion: pathOf(deleteUrl) }
  }
  async function moderatedThread(action: string): Promise<number> {
    const { thread } = await post(THREADS, { title: `A thread to ${action}`, content: 'text' })
    await call('POST', '/api/moderation/act', { boardId: BOARD, postId: thread.id, action, reason: 'Spam' })
    return thread.id
  }

  const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
  const show = { title: 'Carrier Wave', description: 'Drones and slow techno.', zone: 'Europe/Berlin', firstDay: day }
  await call('POST', '/api/radio/shows', { ...show, startTime: '20:00', minutes: 120, isWeekly: true })

  const locked = await moderatedThread('lock')
  const removed = await moderatedThread('delete')
  const { threads } = await call('GET', THREADS)
  const busiest = [...threads].sort((a, b) => b.commentCount - a.commentCount)[0]
  const { thread } = await call('GET', `${THREADS}/${busiest.id}`)
  const image = new File([await stillImage(640, 480).png().toBuffer()], 'a.png', { type: 'image/png' })
  const shared = await post('/api/image-share', { image })
  const [, streamer] = /\?streamer=(\d+)/.exec(await (await fetch(`${origin}/archive`)).text()) ?? []
  const board = `/dtpchan/board/${BOARD}`
  const form = `${board}/post?thread=${busiest.id}`
  return {
    asAdmin: call,
    /** bans everyone who posts from this machine */
    async banVisitors() {
      const { thread: spam } = await post(THREADS, { title: 'Spam', content: 'Buy' })
      const ban = { kind: 'post', itemId: spam.id, boardId: null, width: 'host', reason: 'Advertising' }
      await call('POST', '/api/moderation/bans', { ...ban, endsAt: new Date(Date.now() + 86_400_000) })
    },
    archive: `/archive?streamer=${streamer}`,
    board,
    thread: `${board}/thread/${busiest.id}`,
    lockedThread: `${board}/thread/${locked}`,
    removedThread: `${board}/thread/${removed}`,
    lockedForm: `${board}/post?thread=${locked}`,
    threadForm: `${board}/post`,
    commentForm: form,
    replyForm: `${form}&comment=${thread.comments[0].id}`,
    code: await createPaste({ content: 'const answer: number = 42 // all\n', language: 'typescript' }),
    diff: await createPaste({ content: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', language: 'diff' }),
    burning: await createPaste({ content: 'Read me once', burnAfterReading: true }),
    image: { path: pathOf(shared.url), deletion: pathOf(shared.deleteUrl) },
  }
}

/** Takes the oldest thread off its board, so that the board's archive is not empty. */
const archiveOldestThread = (db: Database) =>
  db.execute(sql`update thread set archived_at = now()
    where id = (select id from thread where board_id = ${BOARD} order by last_activity limit 1)`)

/** Adds a recorded show of the embedded station. */
async function addRecording(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'radio', 'shows', 'ferrite')
  const file = join(folder, 'stream_20260222-200000.mp3')
  await mkdir(folder, { recursive: true })
  await writeFile(file, silence(300))
  // Sets an old time, because the server treats a recently written file as a running recording.
  await utimes(file, new Date(0), new Date(0))
}
