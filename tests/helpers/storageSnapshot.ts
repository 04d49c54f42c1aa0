import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { TestSite } from './site.ts'

/** Counts rows and lists files. Tests compare the results before and after a refused call. */
export async function snapshotStorage(site: TestSite): Promise<unknown> {
  const counted = sql`select (select count(*) from board)::int as boards, (select count(*) from thread)::int as threads,
    (select count(*) from post)::int as posts, (select count(*) from quote)::int as quotes`
  const [rows] = await site.app.services.db.execute(counted)
  return { rows, files: await listStoredFiles(site) }
}

/** Lists all files in the uploads folder, including unfinished writes. */
export async function listStoredFiles(site: Pick<TestSite, 'dataDir'>): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(join(site.dataDir, 'uploads'), options).catch(() => [])
  return entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort()
}

/** Expects a call to be refused with this status and text, and to store nothing. */
export async function expectRefused(
  site: TestSite,
  run: () => Promise<{ status: number; body: unknown }>,
  status: number,
  error: string,
): Promise<void> {
  const before = await snapshotStorage(site)
  const answer = await run()
  expect([answer.status, answer.body]).toEqual([status, { success: false, error }])
  expect(await snapshotStorage(site)).toEqual(before)
}
