import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, inject, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { type Entry, readRecord, recordEntry, SimulatedDisk } from '#tests/helpers/powerCut.ts'
import { seed } from '#tests/helpers/property.ts'
import { createBoardWithThread, createSiteClient, postForm } from '#tests/helpers/siteClient.ts'
import { NODE, spawnSite } from '#tests/helpers/siteProcess.ts'
import { seededRandom } from '#tests/helpers/variedImages.ts'
import { programArgs } from '#tests/setup/bundledChildren.ts'

/** Set it to 200 for the full trial. */
const CUTS = Number(process.env.POWER_CUTS ?? (isDeep ? 8 : 1))
const WRITE_MS = Number(process.env.POWER_CUT_WRITE_MS ?? 4_000)
const RECORDER = './tests/helpers/fileRecorder.cjs'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A site's folder, a copy of its database as it is before the site starts, and an empty record. */
async function createRecordedPlace() {
  const place = await testDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  cleanups.push(place.cleanup, () => rm(folder, { recursive: true, force: true }))
  const before = join(folder, 'before')
  execFileSync('cp', ['-a', '--reflink=auto', join(place.dataDir, 'db'), before])
  const record = join(folder, 'record')
  return {
    place,
    before,
    record,
    cut: join(folder, 'cut'),
    env: { RECORDED_FOLDER: join(place.dataDir, 'db'), RECORD: record },
  }
}

test.runIf(inject('database') === 'pglite')(
  'syncs the log between the write of a commit and its acknowledgement',
  async () => {
    const { place, before, record, env } = await createRecordedPlace()
    const args = ['--require', RECORDER, ...programArgs('databaseProcess'), place.dataDir, 'insert']
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
    let acknowledged = 0
    createInterface({ input: child.stdout }).on('line', () => {
      acknowledged++
    })
    await expect.poll(() => acknowledged, { interval: 10 }).toBeGreaterThan(50)
    child.kill('SIGKILL')
    await once(child, 'close')
    const disk = new SimulatedDisk(env.RECORDED_FOLDER, before)
    let [log, syncs, commits] = ['', 0, 0]
    for (const entry of readRecord(record)) {
      disk.apply(entry)
      if (entry.op === 'write' && isLogFile(entry.path)) log = entry.path
      if (isLogFile(entry.path) && /^sync(-end)?$/.test(entry.op)) syncs++
      if (entry.op !== 'ack') continue
      commits++
      expect({ isSynced: syncs > 0, unsynced: disk.unsynced(log) }).toEqual({ isSynced: true, unsynced: 0 })
      syncs = 0
    }
    expect(commits).toBeGreaterThanOrEqual(50)
  },
)

test.runIf(inject('database') === 'pglite')(
  `has every acknowledged post after a power cut (${CUTS} cuts)`,
  async () => {
    const { place, before, record, cut, env } = await createRecordedPlace()
    const site = await spawnSite(place, { THREAD_POST_LIMIT: '100000', ...env }, undefined, [
      ...NODE,
      '--require',
      RECORDER,
      'dist/current/site/main.mjs',
    ])
    const { threads, threadId } = await createBoardWithThread(site.origin, 'Cuts')
    const acknowledge = (id: unknown) => appendFileSync(record, recordEntry({ op: 'ack', id: String(id) }))
    const end = performance.now() + WRITE_MS
    const write = async (writer: number) => {
      for (let number = 0; performance.now() < end; number++) {
        const content = `post ${writer}/${number} ${randomBytes(100).toString('base64')}`
        const { comment, error } = await postForm(site.origin, `${threads}/${threadId}/comments`, { content })
        expect(error).toBeUndefined()
        acknowledge(comment.id)
        // Large pastes fill files of the log, so that the database makes checkpoints.
        if (writer === 0) {
          const json = { content: randomBytes(1_000_000).toString('base64'), expiryHours: 24 }
          await createSiteClient(site.origin).call('POST', '/api/paste', json)
        }
      }
    }
    await Promise.all([0, 1, 2, 3].map(write))
    await site.stop('SIGKILL')

    const entries = readRecord(record)
    const ends = entries.flatMap(({ op }, index) => (op === 'sync' || op === 'sync-end' ? index : []))
    const first = entries.findIndex(({ op }) => op === 'ack')
    const choose = seededRandom(seed)
    const chosen = Array.from({ length: CUTS }, () => ends[Math.floor(choose() * ends.length)] ?? 0).sort(
      (a, b) => a - b,
    )
    const disk = new SimulatedDisk(env.RECORDED_FOLDER, before)
    let applied = 0
    for (const [number, position] of chosen.entries()) {
      for (; applied <= position; applied++) disk.apply(entries[applied] as Entry)
      // A disk may also have written some of the changes by itself, in any order.
      disk.cut(join(cut, 'db'), number % 2 ? () => choose() < 0.5 : () => false)
      const acknowledged = entries.slice(0, position).filter(({ op }) => op === 'ack')
      const missing = await findMissing(
        cut,
        acknowledged.map(({ id }) => Number(id)),
      )
      expect({ position, missing }).toEqual({ position, missing: [] })
    }
    expect(chosen.at(-1)).toBeGreaterThan(first)
    expect(entries.some(({ op, path }) => op === 'sync' && path.endsWith('pg_control'))).toBe(true)
  },
  WRITE_MS + CUTS * 10_000 + 60_000,
)

const isLogFile = (path = '') => /\/pg_wal\/[0-9A-F]{24}$/.test(path)

async function findMissing(dataDir: string, ids: number[]): Promise<number[]> {
  const database = await openDatabase({ dataDir })
  try {
    const rows = await database.sql<{ id: string }[]>`select id from post`
    const found = new Set(rows.map(({ id }) => Number(id)))
    return ids.filter((id) => !found.has(id))
  } finally {
    await database.close()
  }
}
