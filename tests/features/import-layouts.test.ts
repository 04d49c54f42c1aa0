import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openFolder } from '#server/import/fourchan.ts'
import { importBoards } from '#server/import/importBoards.ts'
import { copyVichan, openMirror, setPause } from '#server/import/mirror.ts'
import type { ImportOptions, ImportSource } from '#server/import/types.ts'
import { type FeedBehaviour, startFeedServer } from '#tests/helpers/feedServer.ts'
import { collectProblems, emptySite, fourchanThread, writeFolder } from '#tests/helpers/oldBoards.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let folder: string
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  folder = await writeFolder({})
})
afterEach(async () => {
  await emptySite(site)
  await rm(folder, { recursive: true, force: true })
})

/** Imports a source. Returns the counts and the problems. */
async function run(source: ImportSource, options: Partial<ImportOptions> = {}) {
  const collected = collectProblems(options)
  const counts = await importBoards(site.app.services, source, collected.options)
  return { counts, problems: collected.problems }
}

const readThread = async (board: string, id: number) =>
  JSON.parse((await site.app.inject(`/api/dtpchan/boards/${board}/threads/${id}`)).body).thread

test('finds posts of vichan that did not bump their thread, whose time in the list of threads stays the same', async () => {
  setPause(1)
  const old = await startFeedServer()
  const { fetcher } = site.app.services
  const copy = openMirror({ fetcher, folder, report: () => {}, progress: () => {} }, old.url)
  let answers = [{ no: 2 }]
  let changes = 0
  old.set('/boards.json', { body: JSON.stringify([{ uri: 'b', title: 'Random' }]) })
  old.set('/b/threads.json', { body: JSON.stringify([{ threads: [{ no: 1, last_modified: 100 }] }]) })
  old.set('/b/res/1.json', (headers): FeedBehaviour => {
    const modified = new Date(1_600_000_000_000 + changes * 60_000).toUTCString()
    if (headers['if-modified-since'] === modified) return { status: 304 }
    return { body: JSON.stringify(fourchanThread(1, answers)), headers: { 'last-modified': modified } }
  })
  const importAll = async () => {
    await copyVichan(copy, [])
    return (await run(openFolder(copy.folder, [], { hasPlainNames: true, imagesAt: copy.at }))).counts.posts
  }
  try {
    expect([await importAll(), await importAll()]).toEqual([2, 0])
    answers = [...answers, { no: 3, email: 'sage' } as never]
    changes++
    expect(await importAll()).toBe(1)
    expect(await readThread('b', 1)).toMatchObject({ comments: [{ id: 2 }, { id: 3, sage: true }] })
  } finally {
    await old.close()
    setPause(1000)
  }
})
