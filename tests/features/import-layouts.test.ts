import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFolder } from '#server/import/fourchan.ts'
import { importBoards } from '#server/import/importBoards.ts'
import { openJschanExport } from '#server/import/jschan.ts'
import { copyVichan, openMirror, setPause } from '#server/import/mirror.ts'
import type { ImportOptions, ImportSource } from '#server/import/types.ts'
import { openVichanDump } from '#server/import/vichan.ts'
import { createBoard } from '#tests/helpers/apiCalls.ts'
import { type FeedBehaviour, startFeedServer } from '#tests/helpers/feedServer.ts'
import {
  addFiles,
  collectProblems,
  emptySite,
  fourchanThread,
  vichanDump,
  writeFolder,
} from '#tests/helpers/oldBoards.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
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
const open = async (url: string) => {
  const { statusCode, headers } = await site.app.inject(url)
  return [statusCode, headers.location]
}
/** Writes a dump of vichan into the folder, and opens it. */
async function openDump(boards: Parameters<typeof vichanDump>[0], wanted: string[] = []) {
  await addFiles(folder, { 'dump.sql': vichanDump(boards) })
  return openVichanDump(`${folder}/dump.sql`, wanted, folder)
}

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

test('imports the images of a dump of Tinyboard, which has one file per post', async () => {
  const image = new Uint8Array(await stillImage(300, 200).png().toBuffer())
  const row = (id: number, thread: string, thumb: string, file: string) =>
    `(${id},${thread},NULL,'Ann','text',150000000${id},'${thumb}',200,100,'${file}',300,200,5000,'a.png',0,0,NULL)`
  await addFiles(folder, {
    'b/src/1.png': image,
    'b/src/2.png': image,
    'dump.sql': `INSERT INTO \`boards\` (\`uri\`, \`title\`, \`subtitle\`) VALUES ('b', 'Random', '');
INSERT INTO \`posts_b\` (\`id\`, \`thread\`, \`subject\`, \`name\`, \`body\`, \`time\`, \`thumb\`, \`thumbwidth\`,
  \`thumbheight\`, \`file\`, \`filewidth\`, \`fileheight\`, \`filesize\`, \`filename\`, \`sticky\`, \`locked\`, \`embed\`)
VALUES ${[row(1, 'NULL', '1s.png', '1.png'), row(2, '1', 'spoiler', '2.png'), row(3, '1', '', 'deleted'), row(4, '1', '', '')].join()};\n`,
  })
  expect(await run(openVichanDump(`${folder}/dump.sql`, [], folder))).toEqual({
    counts: { boards: 1, threads: 1, posts: 4, images: 2 },
    problems: [],
  })
  expect(await readThread('b', 1)).toMatchObject({
    picture: { width: 300 },
    spoiler: false,
    comments: [{ id: 2, picture: { width: 300 }, spoiler: true }, { id: 3, picture: null }, { id: 4 }],
  })
})
