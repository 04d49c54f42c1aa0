import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import type { PostState } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { deleteOrphanedFiles } from '#server/core/jobs/fileCleanup.ts'
import { createFileStore, withheldName } from '#server/core/storage/fileStore.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { eraseOldPosts } from '#server/features/board/states/cleanup.ts'
import { imageReferences } from '#server/jobs.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { programArgs } from '#tests/setup/bundledChildren.ts'

const CHANGES: [from: PostState, to: PostState][] = [
  ['live', 'removed'],
  ['removed', 'live'],
  ['live', 'held'],
  ['held', 'live'],
  ['live', 'erased'],
  ['held', 'removed'],
  ['removed', 'held'],
  ['held', 'erased'],
  ['removed', 'erased'],
]
/** The tenth of them that runs on a push removes and restores posts. */
const KILLS = Array.from({ length: 19 }, (_, number) => CHANGES[number % CHANGES.length] as (typeof CHANGES)[number])

const POSTS = 200
const OPENING = 1001
const IDS = Array.from({ length: POSTS }, (_, number) => OPENING + number)
/** Half of the posts are comments, with the first of which the others are replies. */
const isReply = (id: number) => id > OPENING + POSTS / 2
const ILLUSTRATED = IDS.filter((id) => id % 4 === 0)

let place: TestDatabase
beforeEach(async () => {
  place = await testDatabase()
})
afterEach(() => place.cleanup())

type Opened = Pick<DatabaseHandle, 'db'> & Pick<Services, 'files' | 'now'>
async function withServices<T>(use: (services: Opened) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase(place)
  const files = createFileStore(join(place.dataDir, 'uploads'))
  return use({ db, files, now: () => new Date() }).finally(close)
}

const imageNames = (id: number) => ['webp', 'p.webp', 'd.webp'].map((ending) => `image${id}.${ending}`)

/** Writes a thread with comments, replies, quotes of its opening post, and images. */
async function writeThread({ db, files }: Opened): Promise<void> {
  const rows = IDS.map((id) => {
    const [original, preview, display] = imageNames(id).map((name) => ({ name, width: 1, height: 1 }))
    return {
      id,
      parent_id: isReply(id) ? OPENING + 1 : null,
      content: `text of ${id} >>${OPENING}`,
      ...(ILLUSTRATED.includes(id) && {
        image_id: `image${id}`,
        image: { ...original, bytes: 1, animated: false, preview, display },
      }),
    }
  })
  const { comments, replies, images } = SHOWN.counts
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into board (id, name, description) values ('crashes', 'Crashes', 'about')`)
    await tx.execute(sql`insert into thread (id, board_id, title, last_activity, comment_count, reply_count, image_count)
      values (${OPENING}, 'crashes', 'A thread', now(), ${comments}, ${replies}, ${images})`)
    await tx.execute(sql`insert into post (id, thread_id, parent_id, author, content, image_id, image, created_at)
      select id, ${OPENING}, parent_id, 'me', content, image_id, image, now()
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as given(id bigint, parent_id bigint, content text, image_id text, image jsonb) order by id`)
    await tx.execute(sql`insert into quote select id, thread_id from post where id <> thread_id`)
  })
  for (const name of ILLUSTRATED.flatMap(imageNames)) await files.put(name, Buffer.from(name))
}

/** Changes the thread's posts in another process, which is killed meanwhile. @returns whether the change was acknowledged */
async function killDuring(to: PostState): Promise<boolean> {
  const { dataDir, databaseUrl } = place
  const args = [...programArgs('stateProcess'), JSON.stringify({ dataDir, databaseUrl }), String(OPENING), to]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (lines.length > 1) continue
    // The rehearsal renamed no files and did not commit.
    void sleep(Math.random() * 1.5 * Number(line)).then(() => child.kill('SIGKILL'))
  }
  expect([await closed, lines]).toEqual([
    [null, 'SIGKILL'],
    [expect.stringMatching(/^[\d.]+$/), ...lines.slice(1)],
  ])
  return lines.includes('done')
}

const SHOWN = {
  counts: {
    comments: IDS.filter((id) => !isReply(id)).length - 1,
    replies: IDS.filter(isReply).length,
    images: ILLUSTRATED.length,
    isShown: true,
  },
  quoting: IDS.slice(1),
  found: IDS,
  texts: IDS,
  files: ILLUSTRATED.flatMap(imageNames).sort(),
}
const HIDDEN = { counts: { comments: 0, replies: 0, images: 0, isShown: false }, quoting: [], found: [] }
const EXPECTED: Record<PostState, typeof SHOWN> = {
  live: SHOWN,
  held: { ...SHOWN, ...HIDDEN, files: SHOWN.files.map(withheldName) },
  removed: { ...SHOWN, ...HIDDEN, files: SHOWN.files.map(withheldName) },
  erased: { ...SHOWN, ...HIDDEN, texts: [], files: [] },
}

async function readSite({ db, files }: Opened): Promise<typeof SHOWN> {
  const numbers = async (query: SQL) => (await db.execute<{ id: string }>(query)).map(({ id }) => Number(id))
  const [counts] = await db.execute<(typeof SHOWN)['counts']>(sql`select comment_count as comments,
    reply_count as replies, image_count as images, deleted_at is null as "isShown" from thread`)
  const names: string[] = []
  for await (const { name } of files.list()) names.push(name)
  return {
    counts: { ...SHOWN.counts, ...counts },
    quoting: await numbers(sql`select from_id as id from quote where to_id = ${OPENING} order by 1`),
    found: await numbers(sql`select post_id as id from post_search order by 1`),
    texts: await numbers(sql`select id from post where content <> '' order by 1`),
    files: names.sort(),
  }
}

/** Returns the only state of all posts, and the number of changes in the log. */
async function readState({ db }: Opened): Promise<{ state: PostState | undefined; changes: number }> {
  const rows = await db.execute<{ state: PostState; posts: number; changes: number }>(sql`select state,
    count(*)::int as posts, (select count(*)::int from moderation_log) as changes from post group by state`)
  expect(rows.map(({ posts }) => posts)).toEqual([POSTS])
  return { state: rows[0]?.state, changes: rows[0]?.changes ?? 0 }
}

test.each(isDeep ? KILLS : KILLS.slice(0, 1))(
  'a kill in the middle of a change from %s to %s loses and doubles nothing',
  async (from, to) => {
    await withServices(async (services) => {
      await writeThread(services)
      if (from === 'live') return
      await services.db.transaction((tx) => changeState(services, tx, IDS, from, { heldFor: 'a test' }))
    })
    const isAcknowledged = await killDuring(to)
    await withServices(async (services) => {
      const { state, changes } = await readState(services)
      expect([
        [from, 0],
        [to, 1],
      ]).toContainEqual([state, changes])
      if (isAcknowledged) expect(state).toBe(to)
      await eraseOldPosts(services as Services)
      await deleteOrphanedFiles(services, imageReferences, 0)
      expect(await readSite(services)).toEqual(EXPECTED[state ?? to])
      if (state === to) return
      await services.db.transaction((tx) => changeState(services, tx, IDS, to, { heldFor: 'a test' }))
      await deleteOrphanedFiles(services, imageReferences, 0)
      expect(await readSite(services)).toEqual(EXPECTED[to])
    })
  },
)
