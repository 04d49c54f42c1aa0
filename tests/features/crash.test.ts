import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../helpers/databases.ts'
import { still } from '../helpers/pictures.ts'
import { json, openThread, post, type SiteProcess, spawnSite } from '../helpers/process.ts'

const ROUNDS = 5
const POSTS_BEFORE_THE_KILL = 25

let place: TestDatabase
beforeAll(async () => {
  place = await testDatabase()
})
afterAll(() => place.cleanup())

/** Posts from several writers at once until the process is gone; gives the numbers that were acknowledged. */
async function postUntilKilled(site: SiteProcess, path: string, picture: Buffer): Promise<number[]> {
  const acknowledged: number[] = []
  let killed: Promise<unknown> | null = null
  const write = async (writer: number) => {
    for (let number = 0; !killed; number++) {
      const image =
        number % 5 === writer ? new File([new Uint8Array(picture)], 'p.png', { type: 'image/png' }) : undefined
      const answer = await post(site.origin, path, { content: `post ${writer}/${number}`, image })
      if (answer.success) acknowledged.push(answer.comment.id)
      if (acknowledged.length >= POSTS_BEFORE_THE_KILL) killed ??= site.stop('SIGKILL')
    }
  }
  // The kill cuts off whatever the writers were waiting for.
  await Promise.allSettled([0, 1, 2, 3].map(write))
  await killed
  return acknowledged
}

test(`${ROUNDS} times killed under load, every acknowledged post is there, and no file belongs to nothing`, async () => {
  const picture = await still(300, 200).png().toBuffer()
  const written: number[] = []
  let threads = ''
  let threadId = 0
  for (let round = 0; round <= ROUNDS; round++) {
    const site = await spawnSite(place, { THREAD_POST_LIMIT: '100000' })
    if (round === 0) ({ threads, threadId } = await openThread(site.origin, 'Crash'))
    const { thread } = (await json(await fetch(`${site.origin}${threads}/${threadId}`))) as {
      thread: { commentCount: number; comments: { id: number; image: string | null }[] }
    }
    const there = new Set(thread.comments.map(({ id }) => id))
    expect(written.filter((id) => !there.has(id))).toEqual([])
    expect(thread.commentCount).toBe(thread.comments.length)
    for (const { image } of thread.comments.filter((comment) => comment.image).slice(-3)) {
      expect((await fetch(`${site.origin}${image}`)).status).toBe(200)
    }
    if (place.databaseUrl === undefined) expect(await storedFiles()).toBe(filesOf(thread.comments))
    if (round === ROUNDS) await site.stop()
    else written.push(...(await postUntilKilled(site, `${threads}/${threadId}/comments`, picture)))
  }
  expect(written.length).toBeGreaterThanOrEqual(ROUNDS * POSTS_BEFORE_THE_KILL)
}, 180_000)

/** A picture is three files: itself, for lists, for its thread. */
const filesOf = (posts: { image: string | null }[]) => 3 * posts.filter(({ image }) => image).length

const storedFiles = async () =>
  (await readdir(join(place.dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => [])).filter(
    (entry) => entry.isFile(),
  ).length
