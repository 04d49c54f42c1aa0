import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { openDatabase } from '#db/client.server.ts'
import { type PostState, post, thread } from '#db/schema/index.ts'
import { createFileStore } from '#server/core/storage/fileStore.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { siteActor } from '#server/features/moderation/log/log.ts'

/**
 * Changes the state of all posts of a thread in its own process, and waits to be killed. Writes the ms that the change
 * will take to standard output before it, and `done` after it. Usage: `stateProcess.ts PLACE THREAD_ID STATE`, where the place
 * is JSON with `dataDir` and `databaseUrl`
 */
const [, , place = '{}', threadId = '', state = ''] = process.argv

async function main(): Promise<void> {
  const location = JSON.parse(place)
  const { db } = await openDatabase(location)
  const files = createFileStore(join(location.dataDir, 'uploads'))
  const [found] = await db
    .select()
    .from(thread)
    .where(eq(thread.id, Number(threadId)))
  const rows = await db
    .select({ id: post.id })
    .from(post)
    .where(eq(post.threadId, Number(threadId)))
  const ids = rows.map(({ id }) => id)
  const record = { action: 'delete', actor: siteActor, boardId: found?.boardId ?? null } as const
  const change = (store: typeof files, end = () => {}) =>
    db.transaction(async (tx) => {
      const reason = { record, heldFor: 'a test' }
      await changeState({ files: store, now: () => new Date() }, tx, ids, state as PostState, reason)
      end()
    })
  const rehearse = async () => {
    const start = performance.now()
    const withoutFiles = { ...files, withhold: async () => {}, release: async () => {} }
    await change(withoutFiles, () => {
      throw new Error('rehearsal')
    }).catch(() => {})
    return performance.now() - start
  }
  await rehearse()
  process.stdout.write(`${await rehearse()}\n`)
  await change(files)
  process.stdout.write('done\n')
  await sleep(600_000)
}

main().catch((error) => {
  process.stdout.write(`${error.stack}\n`)
  process.exit(1)
})
