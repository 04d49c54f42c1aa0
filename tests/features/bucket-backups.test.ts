import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { runScheduledBackup } from '#server/core/backup/backup.ts'
import { createBackupBucket, readBackup } from '#server/core/backup/backupBucket.ts'
import type { BackupDestination, NewBackup } from '#server/core/backup/destination.ts'
import type { ArchiveSource } from '#server/core/backup/readArchive.ts'
import { verifyArchive } from '#server/core/backup/verifyArchive.ts'
import type { Services } from '#server/core/context.ts'
import { type Bucket, readInRanges } from '#server/core/storage/bucket.ts'
import { BucketError } from '#server/core/storage/bucketErrors.ts'
import { createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { createPngFile } from '#tests/helpers/backupSite.ts'
import { type BucketServer, startBucketServer } from '#tests/helpers/bucketServer.ts'
import { noiseBytes } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const options = { signal: new AbortController().signal, progress: () => {} }
/** Small, so that a small backup has several parts. */
const PART_BYTES = 20_000
const NAME = 'site-2026-11-25T120000Z.backup'

let server: BucketServer
let site: TestSite
let bucket: Bucket
let backups: BackupDestination
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  server = await startBucketServer()
  bucket = server.bucket('site', { partBytes: PART_BYTES, maxCopyBytes: 2 * PART_BYTES })
  backups = createBackupBucket(bucket)
  site = await startSite({ ...server.settings(), BACKUP_EVERY: '24h', BACKUP_KEEP: '2', BACKUP_STORE: 's3' })
  await createBoard(site, 'Kept', await site.createToken('kept@example.org'))
  await postThread(site, 'kept', { content: 'in the backup', image: await createPngFile() })
})
afterEach(() => server.setFault(null))
afterAll(async () => {
  await site.close()
  await server.close()
  await rm(folder, { recursive: true })
})

const listKeys = async () => {
  const keys: string[] = []
  for await (const { name } of bucket.list('backups/')) keys.push(name)
  return keys
}

test('makes verified backups of pictures in the bucket, keeps the newest, and reports them', async () => {
  const log = { info: vi.fn(), error: vi.fn() }
  let hour = 0
  const services = {
    ...site.app.services,
    config: { ...site.app.services.config, databaseUrl: site.databaseUrl, secretKey: site.secret },
    backups,
    log,
    now: () => new Date(Date.UTC(2026, 10, 20, hour++)),
  } as unknown as Services
  await bucket.put(`backups/${NAME}.partial`, Buffer.from('left by a killed process'))
  await bucket.put('backups/mine.backup', Buffer.from('of somebody else'))
  for (let run = 0; run < 3; run++) await runScheduledBackup(services, options.signal)
  const stored = await backups.list()
  expect(stored.map(({ name }) => name)).toEqual(['site-2026-11-20T020000Z.backup', 'site-2026-11-20T010000Z.backup'])
  expect((await listKeys()).length).toBe(3)
  expect(log.info.mock.calls[2]).toMatchObject([{ files: 3, gone: 0, deleted: 1 }, 'backed up'])
  const { body } = await site.app.inject({ url: '/metrics', headers: { host: 'localhost' } })
  expect(body).toContain('\nsite_backups 2\n')

  const [newest] = stored
  const path = join(folder, 'copy.backup')
  await pipeline(readBackup(bucket, newest?.name ?? ''), createWriteStream(path))
  expect((await verifyArchive(path, options)).end.files).toBe(3)
})

const content = noiseBytes(5 * PART_BYTES + 7)
const write = (out: Writable) =>
  pipeline(function* () {
    for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000)
  }, out)
const read = async (source: ArchiveSource) => (typeof source === 'string' ? null : buffer(await source()))
const backup = { beforeWrite: async () => {}, write, verify: async () => {} }

test('stores large backups in parts, byte for byte, under their name only after the check', async () => {
  let verified: unknown
  const verify = async (stored: ArchiveSource) => {
    verified = [await read(stored), await backups.list()]
  }
  await backups.remove(NAME)
  const before = await backups.list()
  await backups.add(NAME, { ...backup, verify })
  expect(verified).toEqual([content, before])
  expect(await buffer(readBackup(bucket, NAME))).toEqual(content)
  await expect(backups.add(NAME, backup)).rejects.toThrow(`already has a backup ${NAME}`)
  await backups.remove(NAME)
  expect(await backups.list()).toEqual(before)
})

const fails = () => Promise.reject(new Error('broken'))
let requests = 0
const failures: [string, Partial<NewBackup<void>>, string, (() => void)?][] = [
  ['it cannot be read back', { verify: fails }, 'broken'],
  ['writing fails', { write: fails }, 'broken'],
  ['the disk is full', { beforeWrite: fails }, 'broken'],
  [
    'the bucket fails in the middle',
    {},
    'The bucket refused UploadPart: AccessDenied (403)',
    () =>
      server.setFault(({ method, url = '' }, response) => {
        if (method !== 'PUT' || !url.includes('partNumber=3')) return false
        response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
        return true
      }),
  ],
]
test.each(failures)('stores no backup if %s', async (_when, change, message, prepare = () => {}) => {
  const before = await listKeys()
  prepare()
  await expect(backups.add(NAME, { ...backup, ...change })).rejects.toThrow(message)
  expect(await listKeys()).toEqual(before)
})

test('keeps a complete backup if its partial object cannot be removed', async () => {
  server.setFault(({ method }, response) => {
    if (method !== 'DELETE') return false
    response.writeHead(403).end()
    return true
  })
  await backups.add(NAME, backup)
  server.setFault(null)
  expect(await listKeys()).toEqual(expect.arrayContaining([NAME, `${NAME}.partial`]))
  await backups.removePartial()
  expect(await listKeys()).not.toContain(`${NAME}.partial`)
  await backups.remove(NAME)
})

test('ends unfinished uploads of killed processes, and leaves young ones', async () => {
  const describe = (id: string, hours: number) =>
    `<Upload><Key>site/backups/x</Key><UploadId>${id}</UploadId>
     <Initiated>${new Date(Date.now() - hours * 3_600_000).toISOString()}</Initiated></Upload>`
  const ended: string[] = []
  server.setFault(({ method, url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://localhost')
    const uploadId = searchParams.get('uploadId')
    if (method === 'DELETE' && uploadId) ended.push(uploadId)
    else if (method !== 'GET' || !searchParams.has('uploads')) return false
    const uploads = describe('old', 25) + describe('young', 23)
    response.end(uploadId ? '' : `<ListMultipartUploadsResult>${uploads}</ListMultipartUploadsResult>`)
    return true
  })
  await bucket.removeUnfinished('backups/')
  expect(ended).toEqual(['old'])
})

test('reads on where a connection was lost', async () => {
  await bucket.put('large', content)
  requests = 0
  server.setFault(({ method }, response) => {
    if (method !== 'GET' || ++requests !== 2) return false
    response.writeHead(206, { 'content-length': PART_BYTES }).write('half')
    setTimeout(() => response.destroy(), 20)
    return true
  })
  expect(await buffer(Readable.from(readInRanges(bucket, 'large', PART_BYTES)))).toEqual(content)
  expect(requests).toBe(7)
  await expect(buffer(Readable.from(readInRanges(bucket, 'missing')))).rejects.toThrow(BucketError)
})
