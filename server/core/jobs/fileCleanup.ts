import type { Database } from '#db/client.server.ts'
import type { Services } from '#server/core/context.ts'

const BATCH = 200
/** Younger ones may belong to a post that is being written at this moment, in another process too. */
const SETTLED_MS = 60 * 60 * 1000

/** Says which of some files belong to something; every feature that stores files has one. */
export type FileOwner = (db: Database, names: string[]) => Promise<string[]>

/** Removes files that belong to nothing: what a crash left between a file's writing and its post's. */
export async function sweepFiles(
  { db, files, now }: Pick<Services, 'db' | 'files' | 'now'>,
  owners: FileOwner[],
  settledMs = SETTLED_MS,
): Promise<void> {
  await files.clearTemporary(settledMs)
  let batch: string[] = []
  const settle = async () => {
    const owned = new Set((await Promise.all(owners.map((owner) => owner(db, batch)))).flat())
    await files.remove(batch.filter((name) => !owned.has(name)))
    batch = []
  }
  for await (const { name, modified } of files.list()) {
    if (now().getTime() - modified.getTime() < settledMs) continue
    batch.push(name)
    if (batch.length >= BATCH) await settle()
  }
  if (batch.length > 0) await settle()
}
