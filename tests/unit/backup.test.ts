import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rejectOtherFormat } from '#db/embedded/pgliteSetup.server.ts'
import { newestMigration } from '#db/migrate.server.ts'
import { createManifest, type Manifest } from '#server/core/backup/format.ts'
import { readArchive } from '#server/core/backup/readArchive.ts'
import { chooseRestoredSecret, fingerprintOf, readSiteSecret } from '#server/core/backup/secret.ts'
import type { Snapshot } from '#server/core/backup/snapshot.ts'
import { backedUpTables, siteTables } from '#server/core/backup/tables.ts'
import { verifyArchive } from '#server/core/backup/verifyArchive.ts'
import { writeArchive } from '#server/core/backup/writeArchive.ts'
import { createStream, openUnlinkedFile, readPart, writeFileAtomically } from '#server/core/backup/writeFile.ts'
import { createFileStore, type FileStore } from '#server/core/storage/fileStore.ts'
import {
  type ArchiveEntry,
  editJsonEntry,
  packArchive,
  packWithValidDigest,
  unpackArchive,
} from '#tests/helpers/backupArchive.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dtp-backup-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SECRET = 'a secret that only tests know, long enough'
const text = (name: string, content: string): ArchiveEntry => ({ name, content: Buffer.from(content) })
const boardRow = JSON.stringify(['b', 'B', 'a board\nof "two" lines', '2026-01-02 03:04:05.678+00', null])

const manifest: Manifest = createManifest({
  version: '0.1.0',
  madeAt: '2026-01-02T03:04:05.678Z',
  database: 'embedded',
  migration: newestMigration(),
  secret: fingerprintOf(SECRET),
  tables: [{ name: 'board', columns: ['id', 'name', 'description', 'created_at', 'deleted_at'] }],
  sequences: [{ name: 'post_number', value: '7', called: true }],
})
const image = { name: 'files/0123456789abcdef01234567.p.webp', content: randomBytes(200_000) }
const good: ArchiveEntry[] = [
  text('manifest.json', JSON.stringify(manifest)),
  text('secret.key', SECRET),
  text('rows/board.ndjson', `${boardRow}\n`),
  image,
]
const changed = (edit: (manifest: Manifest) => object) => editJsonEntry<Manifest>(good, 'manifest.json', edit)
const without = (name: string) => good.filter((entry) => entry.name !== name)
const withRows = (rows: string) =>
  good.map((entry) => (entry.name.startsWith('rows/') ? text(entry.name, rows) : entry))

async function verify(archive: Buffer) {
  const path = join(folder, `${randomBytes(8).toString('hex')}.tgz`)
  await writeFile(path, archive)
  return verifyArchive(path, { signal: new AbortController().signal, progress: () => {} })
}

test('verifies a valid archive', async () => {
  const { end, ...verified } = await verify(await packWithValidDigest(good))
  expect(verified).toEqual({ manifest, secret: SECRET })
  expect(end).toMatchObject({ rows: 1, files: 1, gone: 0 })
})

const hostile: Record<string, [ArchiveEntry[], RegExp]> = {
  'a path outside the folder': [[...good, text('files/../../../etc/passwd', 'x')], /unexpected entry/],
  'an absolute path': [[...good, text('/etc/passwd', 'x')], /unexpected entry/],
  'a file in a folder': [[...good, text('files/a/b.png', 'x')], /unexpected entry/],
  'a hidden file': [[...good, text('files/.profile', 'x')], /unexpected entry/],
  'a name with a terminal escape': [[...good, text('\u001b[2Jx', 'x')], /unexpected entry [ -~]*$/],
  'a link': [
    [...good, { ...text('files/abc.png', ''), header: { type: 'symlink', linkname: '/etc/passwd' } }],
    /not a regular file/,
  ],
  'a folder': [[...good, { ...text('files/abc.png', ''), header: { type: 'directory' } }], /not a regular file/],
  'a header that changes the next entry': [
    [...good, { ...text('files/abc.png', 'x'), header: { pax: { path: '../x' } } }],
    /not a regular file/,
  ],
  'a huge manifest': [[text('manifest.json', ' '.repeat(1_100_000)), ...good.slice(1)], /entry too large/],
  'a second manifest': [[...good, text('manifest.json', JSON.stringify(manifest))], /unexpected entry/],
  'a secret after the rows': [[...without('secret.key'), text('secret.key', SECRET)], /unexpected entry/],
  'rows after files': [
    [...without('rows/board.ndjson'), text('rows/board.ndjson', `${boardRow}\n`)],
    /unexpected entry/,
  ],
  'rows twice': [[...good.slice(0, 3), ...good.slice(2)], /unexpected entry/],
  'rows of a table that the manifest lacks': [[...good.slice(0, 3), text('rows/user.ndjson', '')], /unexpected entry/],
  'no rows': [without('rows/board.ndjson'), /the rows of board are missing/],
  'no manifest': [good.slice(1), /its first entry is "secret.key"/],
  'a manifest of another program': [
    [text('manifest.json', '{"name":"x"}')],
    /not a backup of this program: manifest.json.format/,
  ],
  'a manifest that is not JSON': [[text('manifest.json', 'x')], /not a backup of this program/],
  'a row of another length': [withRows('["b"]\n'), /a row of board is damaged/],
  'a row that is not an array': [withRows('{"length":5}\n'), /a row of board is damaged/],
  'a row with numbers': [withRows('["b","B","x",1,null]\n'), /a row of board is damaged/],
  'a row without a line end': [withRows('["b","B","x",null,null]'), /a row is truncated/],
  'an endless row': [withRows('x'.repeat(20_100_000)), /a row is too large/],
  'a row that is not UTF-8': [
    good.map((e) => (e === good[2] ? { ...e, content: Buffer.from([0xff, 10]) } : e)),
    /not valid UTF-8/,
  ],
  'an unknown column': [
    changed((m) => ({ ...m, tables: [{ name: 'board', columns: ['id', 'secret"; drop table board --'] }] })),
    /unknown table or column/,
  ],
  'an unknown table': [
    changed((m) => ({ ...m, tables: [{ name: 'pg_authid', columns: ['x'] }] })),
    /unknown table or column "pg_authid"/,
  ],
  'a table that backups omit': [
    changed((m) => ({ ...m, tables: [{ name: 'session', columns: ['id'] }] })),
    /unknown table or column "session"/,
  ],
  'a column twice': [changed((m) => ({ ...m, tables: [{ name: 'board', columns: ['id', 'id'] }] })), /twice/],
  'a table twice': [changed((m) => ({ ...m, tables: [...m.tables, ...m.tables] })), /twice/],
  'a later format': [changed((m) => ({ ...m, format: 2, rows: 'elsewhere' })), /a newer version .* made the backup/],
  'a later migration': [changed((m) => ({ ...m, migration: m.migration + 1 })), /a newer version .* made the backup/],
  'a column that only an older version has': [
    changed((m) => ({ ...m, migration: 1, tables: [{ name: 'board', columns: ['id', 'colour'] }] })),
    /no longer has "colour"\. Restore with version 0\.1\.0, then upgrade/,
  ],
}

test.each(Object.entries(hostile))('rejects %s with a one-line message', async (_what, [entries, message]) => {
  const refusal = await verify(await packWithValidDigest(entries)).then(String, (error: Error) => error.message)
  expect(refusal).toMatch(message)
  expect(refusal).not.toContain('\n')
})

test('reads a copy without a name again after a reader that stopped early, and closes it once', async () => {
  const large = { ...image, content: randomBytes(3_000_000) }
  const archive = await packWithValidDigest([...without(image.name), large])
  const copy = await openUnlinkedFile(folder)
  await pipeline(Readable.from([archive], { objectMode: false }), createStream(copy))
  const source = async () => Readable.from(readPart(copy), { objectMode: false })
  for await (const part of readArchive(source)) if (part.kind === 'manifest') break
  expect((await buffer(await source())).equals(archive)).toBe(true)
  await copy.close()
})

test('rejects wrong counts and entries after the end', async () => {
  const end = (value: object) => text('end.json', JSON.stringify({ rows: 1, files: 1, gone: 0, sha256: '', ...value }))
  await expect(verify(await packArchive([...good, end({})]))).rejects.toThrow('its checksum is wrong')
  await expect(verify(await packArchive(good))).rejects.toThrow('its end is missing')
  await expect(verify(await packArchive([...good, end({}), image]))).rejects.toThrow('checksum')
  const whole = await packWithValidDigest(good)
  const tar = gunzipSync(whole)
  const again = gunzipSync(await packArchive([text('files/abc.png', 'x')]))
  await expect(verify(gzipSync(Buffer.concat([tar.subarray(0, -1024), again])))).rejects.toThrow('after the end')
})

test('rejects an archive that is truncated or has a changed byte', async () => {
  const whole = await packWithValidDigest(good)
  const tar = gunzipSync(whole)
  const cuts = Array.from({ length: 40 }, (_, index) => Math.floor((whole.length * index) / 40))
  for (const length of [...cuts, whole.length - 1]) {
    await expect(verify(whole.subarray(0, length)), `cut to ${length}`).rejects.toThrow(/cannot unpack|its end/)
  }
  // Changes only file contents: tar detects changed headers by its own checksums.
  const contents = [
    tar.indexOf(boardRow),
    tar.indexOf(SECRET),
    tar.indexOf(image.content),
    tar.indexOf('"sha256"') + 12,
  ]
  for (const at of contents.flatMap((start) => [start + 1, start + 30])) {
    const flipped = Buffer.from(tar)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    await expect(verify(gzipSync(flipped)), `byte ${at}`).rejects.toThrow(/checksum is wrong|is damaged/)
    const packed = Buffer.from(whole)
    const place = Math.floor((at / tar.length) * whole.length)
    packed[place] = (packed[place] ?? 0) ^ 1
    await expect(verify(packed), `packed byte ${place}`).rejects.toThrow()
  }
})

test.each([
  ['text', Buffer.from('this is a picture of a cat\n'.repeat(100))],
  ['an empty file', Buffer.alloc(0)],
  ['an empty gzip', gzipSync('')],
  ['a gzip of random bytes', gzipSync(randomBytes(5000))],
  ['a gzip bomb', gzipSync(Buffer.alloc(50_000_000))],
])('rejects %s', async (_what, bytes) => {
  await expect(verify(bytes)).rejects.toThrow(/cannot unpack|its end is missing/)
})

test('names a missing file in the error', async () => {
  const signal = new AbortController().signal
  await expect(verifyArchive('/nowhere.tgz', { signal, progress: () => {} })).rejects.toThrow(/ENOENT.*nowhere/)
})

test('orders tables by their references and omits temporary data', () => {
  const at = (name: string) => siteTables.findIndex((table) => table.name === name)
  for (const [first, second] of [
    ['user', 'moderator'],
    ['board', 'thread'],
    ['thread', 'post'],
    ['post', 'quote'],
  ]) {
    expect(at(first ?? '')).toBeLessThan(at(second ?? ''))
  }
  const names = siteTables.map(({ name }) => name)
  expect(names.filter((name) => !backedUpTables.some((table) => table.name === name)).sort()).toEqual([
    'allowance',
    'attempt',
    'known_network',
    'live_host',
    'origin',
    'outbox',
    'post_search',
    'poster_label_key',
    'push_subscription',
    'session',
    'song_request',
    'stored_bytes',
    'watched_post',
    'watched_thread',
    'watcher',
  ])
})

test('restores the secret and rejects a different one', async () => {
  const dataDir = await mkdtemp(join(folder, 'secret-'))
  const other = 'another secret of somebody, long enough as well'
  const backup = { manifest, secret: SECRET }
  const no = { otherSecret: false }
  await expect(readSiteSecret({ dataDir, secretKey: undefined })).rejects.toThrow(
    'Set SECRET_KEY to the secret of the site',
  )
  expect(await readdir(dataDir)).toEqual([])
  expect(await readSiteSecret({ dataDir, secretKey: SECRET })).toEqual({
    fingerprint: manifest.secret,
    generated: null,
  })
  expect(await chooseRestoredSecret(backup, { dataDir, secretKey: undefined }, no)).toBe(SECRET)
  expect(await chooseRestoredSecret(backup, { dataDir, secretKey: SECRET }, no)).toBeNull()
  await expect(chooseRestoredSecret(backup, { dataDir, secretKey: other }, no)).rejects.toThrow(
    'content of its secret.key',
  )
  expect(await chooseRestoredSecret(backup, { dataDir, secretKey: other }, { otherSecret: true })).toBeNull()
  const bare = { manifest, secret: null }
  await expect(chooseRestoredSecret(bare, { dataDir, secretKey: undefined }, no)).rejects.toThrow(
    'SECRET_KEY of the original site',
  )
  await expect(
    chooseRestoredSecret({ manifest, secret: other }, { dataDir, secretKey: undefined }, no),
  ).rejects.toThrow('does not match its manifest')
  await writeFile(join(dataDir, 'secret.key'), `${SECRET}\n`)
  expect(await readSiteSecret({ dataDir, secretKey: undefined })).toEqual({
    fingerprint: manifest.secret,
    generated: SECRET,
  })
  expect(await chooseRestoredSecret(bare, { dataDir, secretKey: undefined }, no)).toBeNull()
})

test('includes files that are withheld or published after they were listed', async () => {
  const store = createFileStore(await mkdtemp(join(folder, 'uploads-')))
  const names = ['a.png', 'b.png.withheld', 'c.png']
  for (const name of names) await store.put(name, Buffer.from(name))
  const files: FileStore = {
    ...store,
    async *list() {
      await store.withhold(['a.png'])
      await store.release(['b.png'])
      await store.remove(['c.png'])
      for (const name of names) yield { name, size: name.length, modified: new Date() }
    },
  }
  const out = new PassThrough()
  const snapshot = { tables: [] as Snapshot['tables'] } as Snapshot
  const run = { out, signal: new AbortController().signal, progress: () => {} }
  const [end, archive] = await Promise.all([
    writeArchive({ manifest, secret: null, snapshot, files }, run),
    buffer(out),
  ])
  expect(end).toMatchObject({ files: 2, gone: 1 })
  const packed = (await unpackArchive(archive)).filter(({ name }) => name.startsWith('files/'))
  expect(packed.map(({ name, content }) => [name, String(content)])).toEqual([
    ['files/a.png', 'a.png'],
    ['files/b.png.withheld', 'b.png.withheld'],
  ])
})

test('writes a complete file that only its owner can read, or no file', async () => {
  const target = join(await mkdtemp(join(folder, 'out-')), 'site.tgz')
  const listFolder = async () => readdir(join(target, '..'))
  const write = (bytes: string) => (out: NodeJS.WritableStream) =>
    new Promise<void>((resolve) => out.end(bytes, resolve))
  const fail = async (out: Writable) => {
    out.write('the beginning')
    await pipeline(
      Readable.from([randomBytes(100_000), randomBytes(100_000)]),
      async function* (source) {
        for await (const chunk of source) yield chunk
        throw new Error('No space left')
      },
      out,
    )
  }
  await expect(writeFileAtomically(target, { force: false }, fail)).rejects.toThrow('No space left')
  expect(await listFolder()).toEqual([])
  await writeFile(`${target}.partial`, 'from a killed process')
  await writeFileAtomically(target, { force: false }, write('one'))
  expect((await stat(target)).mode & 0o777).toBe(0o600)
  await expect(writeFileAtomically(target, { force: false }, write('two'))).rejects.toThrow('already exists: --force')
  await expect(writeFileAtomically(target, { force: true }, fail)).rejects.toThrow('No space left')
  expect((await stat(target)).size).toBe(3)
  await writeFileAtomically(target, { force: true }, write('second'))
  expect((await stat(target)).size).toBe(6)
  expect(await listFolder()).toEqual(['site.tgz'])
  await expect(writeFileAtomically('/dev/null', { force: true }, write('x'))).rejects.toThrow('not a regular file')
})

test('fails the first of two concurrent backups to the same file', async () => {
  const target = join(await mkdtemp(join(folder, 'two-')), 'site.tgz')
  const first = writeFileAtomically(target, { force: false }, async (out) => {
    out.end('first')
    await writeFileAtomically(target, { force: true }, async (other) => {
      await new Promise<void>((resolve) => other.end('second', resolve))
    })
  })
  await expect(first).rejects.toThrow('Another process is writing a backup')
  expect((await stat(target)).size).toBe(6)
})

test('explains why it rejects an embedded database of another PostgreSQL version', () => {
  expect(() => rejectOtherFormat('99\n')).toThrow('The data was made by a newer version of this program')
  expect(() => rejectOtherFormat('9.6\n')).toThrow('back it up with that one, then restore it with this one')
})
