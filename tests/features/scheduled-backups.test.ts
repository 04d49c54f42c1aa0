import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { job } from '#db/schema/index.ts'
import { type BackupDestination, createBackupFolder, verifyBackupFolder } from '#server/core/backup/destination.ts'
import { restore } from '#server/core/backup/restore.ts'
import { verifyArchive } from '#server/core/backup/verifyArchive.ts'
import type { Services } from '#server/core/context.ts'
import { startJobs } from '#server/core/jobs/jobRunner.ts'
import type { JobTimes } from '#server/core/jobs/lease.ts'
import { readBackups } from '#server/features/site/operations.ts'
import { createJobs } from '#server/jobs.ts'
import { createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { captureState } from '#tests/helpers/backupSite.ts'
import { testDatabase } from '#tests/helpers/databases.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

/** In seconds. The job replaces `maxRun` by a longer time. */
const TIMES: JobTimes = { lease: 60, maxRun: 0.01, grace: 5, poll: 0.05 }
const HOUR_MS = 3_600_000
const FIRST_AT = Date.parse('2026-11-25T12:00:00Z')
const options = { signal: new AbortController().signal, progress: () => {} }
const GIGABYTE = 1e9

let site: TestSite
let folder: string
let free: number
let at: number
const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() }
const open: { close: () => Promise<void> }[] = []

beforeAll(async () => {
  site = await startSite({ BACKUP_EVERY: '24h', BACKUP_KEEP: '2' })
  const boardId = await createBoard(site, 'Kept', await site.createToken('kept@example.org'))
  await postThread(site, boardId, { content: 'in the backup' })
})
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'dtp-test-')), 'backups')
  free = GIGABYTE
  at = FIRST_AT
  await site.app.services.db.delete(job)
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((runner) => runner.close()))
  await rm(join(folder, '..'), { recursive: true, force: true })
  vi.clearAllMocks()
})
afterAll(() => site.close())

/** Every look at the clock is an hour later. */
function now(): Date {
  at += HOUR_MS
  return new Date(at)
}

function createServices(backups: BackupDestination): Services {
  const { services } = site.app
  const config = { ...services.config, databaseUrl: site.databaseUrl, secretKey: site.secret }
  return { ...services, config, backups, now, log, diskSpace: async () => free } as unknown as Services
}

const [backupJob] = createJobs({ backups: { everySeconds: 86_400, keep: 2, store: 'folder', folder: '' } }).slice(-1)

function start(backups: BackupDestination, intervals = {}) {
  if (!backupJob) throw new Error('No job makes backups')
  const services = createServices(backups)
  const runner = startJobs(services, [{ ...backupJob, delaySeconds: 0, ...intervals }], TIMES)
  open.push(runner)
  return { runner, services }
}

const rowOf = async () => (await site.app.services.db.select().from(job).where(eq(job.name, 'backup')))[0]
const ended = () => expect.poll(async () => (await rowOf())?.endedAt).toBeTruthy()

test('makes verified backups on schedule in one of several processes, and keeps the newest', async () => {
  const often = { intervalSeconds: 0.2, retrySeconds: 0.2 }
  const backups = createBackupFolder(folder)
  for (let process = 0; process < 2; process++) start(backups, often)
  await expect.poll(async () => (await rowOf())?.runs.length).toBeGreaterThanOrEqual(3)
  await Promise.all(open.splice(0).map((runner) => runner.close()))
  expect(log.error).not.toHaveBeenCalled()
  expect((await readdir(folder)).length).toBe(2)
  const [newest] = await backups.list()
  expect(newest?.name).toMatch(/^site-2026-11-2\dT\d{6}Z\.backup$/)
  expect(newest?.at.getTime()).toBeGreaterThanOrEqual(FIRST_AT + 3 * HOUR_MS)
  expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, newest?.name ?? ''))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ])

  const target = await testDatabase()
  const into = { ...target, secretKey: site.secret }
  const flags = { replace: false, otherSecret: false, print: () => {} }
  await restore(join(folder, newest?.name ?? ''), into, { ...options, ...flags })
  expect(JSON.stringify((await captureState(into)).rows.post)).toContain('in the backup')
  await target.cleanup()
})

test('deletes only its own old backups, and not the new one when the clock was set back', async () => {
  const backups = createBackupFolder(folder)
  start(backups)
  await ended()
  const [first = ''] = await readdir(folder)
  const content = await readFile(join(folder, first))
  const kept = ['site-2026-11-25T999999Z.backup', 'mine.backup', 'site-2026-11-20T000000Z.backup.old']
  for (const name of [...kept, 'site-2030-01-01T000000Z.backup', 'site-2031-01-01T000000Z.backup'])
    await writeFile(join(folder, name), content)
  await writeFile(join(folder, 'site-2026-11-20T000000Z.backup.partial'), 'left by a killed process')
  await site.app.services.db.delete(job)
  start(backups)
  await ended()
  const names = await readdir(folder)
  const newest = names.filter((name) => ![...kept, 'site-2031-01-01T000000Z.backup'].includes(name))
  expect([names.length, newest]).toEqual([5, [expect.stringMatching(/^site-2026-11-\d\dT\d{6}Z\.backup$/)]])
  expect(newest).not.toContain(first)
  await verifyArchive(join(folder, newest[0] ?? ''), options)
})

test('refuses a folder that it cannot create or write to before the site starts', async () => {
  await verifyBackupFolder(folder)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const lost = join(folder, 'not mounted', 'backups')
  await expect(verifyBackupFolder(lost)).rejects.toThrow(
    `Setting BACKUP_DIR is wrong: ${lost} cannot be written to: there is no ${join(folder, 'not mounted')}`,
  )
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(verifyBackupFolder(join(file, 'backups'))).rejects.toThrow(/cannot be written to: not a directory$/)
})

/** Changes a byte in each chunk. */
function flipByte(out: Writable): Writable {
  const flipping = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const copy = Buffer.from(chunk)
      const middle = copy.length >> 1
      copy[middle] = (copy[middle] ?? 0) ^ 0xff
      done(null, copy)
    },
  })
  flipping.pipe(out)
  return flipping
}

test.each<[string, RegExp, (backups: BackupDestination) => BackupDestination]>([
  [
    'the disk is nearly full before',
    /disk of DATA_DIR is nearly full/,
    (backups) => {
      free = 1000
      return backups
    },
  ],
  [
    'the disk of the backups becomes full meanwhile',
    /disk of BACKUP_DIR is nearly full/,
    (backups) => {
      let checks = 0
      return { ...backups, freeBytes: async () => (checks++ < 2 ? GIGABYTE : 1000) }
    },
  ],
  [
    'the disk stores other bytes',
    /could not be verified: /,
    (backups) => ({
      ...backups,
      add: (name, backup) => backups.add(name, { ...backup, write: (out) => backup.write(flipByte(out)) }),
    }),
  ],
])('removes a backup, keeps the old ones, logs it and tries again if %s', async (_when, reason, breakIt) => {
  const backups = createBackupFolder(folder)
  const first = start(backups)
  await ended()
  // Otherwise, it could make the next backup, too.
  await first.runner.close()
  const before = await readdir(folder)
  await site.app.services.db.delete(job)

  const { runner, services } = start(breakIt(backups), { retrySeconds: 0.3 })
  await expect.poll(async () => (await rowOf())?.failures).toBeGreaterThanOrEqual(2)
  await runner.close()
  expect(await readdir(folder)).toEqual(before)
  expect(log.error.mock.calls[0]).toEqual([{ err: expect.any(Error), job: 'backup' }, 'job failed'])
  expect(await readBackups(services)).toMatchObject({
    count: 1,
    last: { bytes: expect.any(Number) },
    error: expect.stringMatching(reason),
  })
})

test('stops at shutdown without a trace, and the next process makes the backup at once', async () => {
  const backups = createBackupFolder(folder)
  const [reached, released] = [createDeferred(), createDeferred()]
  const slow: BackupDestination = {
    ...backups,
    add: (name, backup) =>
      backups.add(name, {
        ...backup,
        beforeWrite: async () => {
          reached.resolve()
          await released.promise
        },
      }),
  }
  const { runner } = start(slow)
  await reached.promise
  expect(await readdir(folder)).toEqual([expect.stringMatching(/\.backup\.partial$/)])
  const closed = runner.close()
  released.resolve()
  await closed
  expect(await readdir(folder)).toEqual([])
  expect(log.error).not.toHaveBeenCalled()
  start(backups)
  await ended()
  expect(await readdir(folder)).toHaveLength(1)
})

test('reports the stored backups in metrics, and their loss', async () => {
  const { services } = site.app
  const read = async () => {
    const { body } = await site.app.inject({ url: '/metrics', headers: { host: 'localhost' } })
    return body.split('\n').filter((line) => line.startsWith('site_backup'))
  }
  expect(await read()).toEqual(['site_backup_interval_seconds 86400', 'site_backups 0'])
  await createBackupFolder(services.config.backups.folder).add('site-2026-11-25T120000Z.backup', {
    beforeWrite: async () => {},
    write: async (out) => void out.write('12345'),
    verify: async () => {},
  })
  expect(await read()).toEqual([
    'site_backup_interval_seconds 86400',
    'site_backups 1',
    `site_backup_last_timestamp_seconds ${FIRST_AT / 1000}`,
    'site_backup_last_bytes 5',
  ])
  await rm(services.config.backups.folder, { recursive: true })
  await writeFile(services.config.backups.folder, 'not a folder')
  expect(await read()).toEqual(['site_backup_interval_seconds 86400'])
  expect(await readBackups(services)).toMatchObject({ count: 0, error: 'Cannot use BACKUP_DIR: not a directory' })
})
