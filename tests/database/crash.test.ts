import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { deleteOrphanedFiles } from '#server/core/jobs/fileCleanup.ts'
import { createFileStore } from '#server/core/storage/fileStore.ts'
import { imageReferences } from '#server/jobs.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const ROUNDS = isDeep ? 3 : 1
const POSTS_BEFORE_THE_KILL = 25

let place: TestDatabase
beforeAll(async () => {
  place = await testDatabase()
})
afterAll(() => place.cleanup())

type Written = { posts: number[]; pastes: { url: string; content: string }[] }

async function paste(origin: string, content: string) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ content, expiryHours: 24 })
  return readJson(await fetch(`${origin}/api/paste`, { method: 'POST', headers, body }))
}

/** Writes posts and pastes concurrently until the process is killed. Returns those that the server acknowledged. */
async function writeUntilKilled(site: SiteProcess, path: string, picture: Buffer): Promise<Written> {
  const acknowledged: Written = { posts: [], pastes: [] }
  let killed: Promise<unknown> | null = null
  const write = async (writer: number) => {
    for (let number = 0; !killed; number++) {
      const image =
        number % 5 === writer ? new File([new Uint8Array(picture)], 'p.png', { type: 'image/png' }) : undefined
      const answer = await postForm(site.origin, path, { content: `post ${writer}/${number}`, image })
      if (answer.success) acknowledged.posts.push(answer.comment.id)
      if (writer === 3) {
        const content = `paste ${number} ${'of some length '.repeat(2000)}`
        const { success, url } = await paste(site.origin, content)
        if (success) acknowledged.pastes.push({ url, content })
      }
      if (acknowledged.posts.length >= POSTS_BEFORE_THE_KILL) killed ??= site.stop('SIGKILL')
    }
  }
  // Ignores failures, because requests that run during the kill fail.
  await Promise.allSettled([0, 1, 2, 3].map(write))
  await killed
  return acknowledged
}

test(`killed ${ROUNDS} times under load, every acknowledged post and paste is there, and no file belongs to nothing`, async () => {
  const picture = await stillImage(300, 200).png().toBuffer()
  const written: Written = { posts: [], pastes: [] }
  let threads = ''
  let threadId = 0
  for (let round = 0; round <= ROUNDS; round++) {
    const site = await spawnSite(place, { THREAD_POST_LIMIT: '100000' })
    if (round === 0) ({ threads, threadId } = await createBoardWithThread(site.origin, 'Crash'))
    const { thread } = (await readJson(await fetch(`${site.origin}${threads}/${threadId}`))) as {
      thread: { commentCount: number; comments: { id: number; image: string | null }[] }
    }
    const there = new Set(thread.comments.map(({ id }) => id))
    expect(written.posts.filter((id) => !there.has(id))).toEqual([])
    for (const { url, content } of written.pastes.splice(0)) {
      expect((await readJson(await fetch(`${site.origin}/api${new URL(url).pathname}`))).paste?.content).toBe(content)
    }
    expect(thread.commentCount).toBe(thread.comments.length)
    for (const { image } of thread.comments.filter((comment) => comment.image).slice(-3)) {
      expect((await fetch(`${site.origin}${image}`)).status).toBe(200)
    }
    // The server keeps recent orphaned files on PostgreSQL, where another process could still be writing them.
    if (round === ROUNDS) {
      await site.stop()
      await sweep()
    }
    if (round === ROUNDS || place.databaseUrl === undefined) {
      expect(await storedFiles()).toBe(filesOf(thread.comments))
    }
    if (round === ROUNDS) break
    const { posts, pastes } = await writeUntilKilled(site, `${threads}/${threadId}/comments`, picture)
    written.posts.push(...posts)
    written.pastes.push(...pastes)
    expect(pastes.length).toBeGreaterThan(0)
  }
  expect(written.posts.length).toBeGreaterThanOrEqual(ROUNDS * POSTS_BEFORE_THE_KILL)
})

/** The server stores three files per image: the original, one for lists and one for the thread. */
const filesOf = (posts: { image: string | null }[]) => 3 * posts.filter(({ image }) => image).length

async function sweep(): Promise<void> {
  const { db, close } = await openDatabase({ ...place, mode: 'command' })
  await deleteOrphanedFiles(
    { db, files: createFileStore(join(place.dataDir, 'uploads')), now: () => new Date() },
    imageReferences,
    0,
  )
  await close()
}

const storedFiles = async () =>
  (await readdir(join(place.dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => [])).filter(
    (entry) => entry.isFile(),
  ).length
