import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, type Header, pack } from 'tar-stream'

/** A tar entry of a backup; `header` overrides the default header. */
export type ArchiveEntry = { name: string; content: Buffer; header?: Partial<Header> }

/** Reads all entries of a backup. */
export async function unpackArchive(archive: Buffer): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  const tar = extract()
  tar.end(gunzipSync(archive))
  for await (const entry of tar) entries.push({ name: entry.header.name, content: await buffer(entry) })
  return entries
}

/** Packs entries without changes. */
export async function packArchive(entries: ArchiveEntry[]): Promise<Buffer> {
  const tar = pack()
  for (const { name, content, header } of entries) {
    tar.entry({ name, size: content.length, mode: 0o600, ...header }, content)
  }
  tar.finalize()
  return gzipSync(await buffer(tar))
}

/** Packs edited entries with matching counts and checksum, as an attacker would. */
export async function packWithValidDigest(entries: ArchiveEntry[]): Promise<Buffer> {
  const digest = createHash('sha256')
  const others = entries.filter(({ name }) => name !== 'end.json')
  for (const { name, content } of others) digest.update(`${name}\n${content.length}\n`).update(content)
  const rows = others.filter(({ name }) => name.startsWith('rows/')).map(({ content }) => content.toString())
  const end = {
    rows: rows.join('').split('\n').length - 1,
    files: others.filter(({ name }) => name.startsWith('files/')).length,
    gone: 0,
    sha256: digest.digest('hex'),
  }
  return packArchive([...others, { name: 'end.json', content: Buffer.from(JSON.stringify(end)) }])
}

/** Writes an edited copy of a backup and returns its path. */
export async function editArchive(
  from: string,
  to: string,
  edit: (entries: ArchiveEntry[]) => ArchiveEntry[],
): Promise<string> {
  await writeFile(to, await packWithValidDigest(edit(await unpackArchive(await readFile(from)))))
  return to
}

/** Edits one JSON entry of a backup. */
export function editJsonEntry<T>(entries: ArchiveEntry[], name: string, edit: (value: T) => unknown): ArchiveEntry[] {
  return entries.map((entry) =>
    entry.name === name
      ? { ...entry, content: Buffer.from(JSON.stringify(edit(JSON.parse(entry.content.toString())))) }
      : entry,
  )
}
