import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { ImportOptions } from '#server/import/types.ts'
import type { TestSite } from './site.ts'

/** Deletes all boards and posts. The next post gets the number 1. */
export async function emptySite({ app }: TestSite): Promise<void> {
  const { db } = app.services
  await db.execute(sql`truncate board, moderation_log, origin cascade`)
  await db.execute(sql`alter sequence post_number restart`)
}

/** Writes files into a new folder; objects become JSON. */
export async function writeFolder(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dtp-import-'))
  await addFiles(folder, files)
  return folder
}

export async function addFiles(folder: string, files: Record<string, unknown>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    const isText = typeof content === 'string' || content instanceof Uint8Array
    await writeFile(join(folder, name), isText ? content : JSON.stringify(content))
  }
}

/** Creates options that collect the reported problems. */
export function collectProblems(options: Partial<ImportOptions> = {}) {
  const problems: string[] = []
  const report = (where: string, what: string) => void problems.push(`${where}: ${what}`)
  return { problems, options: { dryRun: false, report, progress: () => {}, ...options } }
}

type Fields = Record<string, unknown>

/** Creates the file of a thread as in 4chan's API. Its posts are one second apart. */
export const fourchanThread = (number: number, answers: Fields[] = [], opening: Fields = {}) => ({
  posts: [{ no: number, ...opening }, ...answers].map((fields, index) => ({
    resto: index === 0 ? 0 : number,
    time: 1_500_000_000 + number * 10 + index,
    name: 'Anonymous',
    com: `post ${index}`,
    ...fields,
  })),
})

const sqlText = (value: unknown) =>
  value === null || typeof value === 'number'
    ? String(value)
    : `'${String(value).replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

const VICHAN_COLUMNS =
  'id thread subject email name trip capcode body body_nomarkup time bump files num_files filehash password ip sticky locked cycle sage embed slug'.split(
    ' ',
  )

/** Creates a dump as mysqldump writes it from vichan's database. */
export function vichanDump(boards: Record<string, Fields[]>): string {
  const uris = Object.keys(boards)
  const tables = uris.map((uri) => {
    const rows = (boards[uri] ?? []).map(
      (row) => `(${VICHAN_COLUMNS.map((name) => sqlText({ ...VICHAN_ROW, ...row }[name] ?? null)).join()})`,
    )
    const columns = VICHAN_COLUMNS.map((name) => `  \`${name}\` text`)
    return `CREATE TABLE \`posts_${uri}\` (\n${columns.join(',\n')}\n) ENGINE=InnoDB;\nINSERT INTO \`posts_${uri}\` VALUES ${rows.join()};\n`
  })
  const listed = uris.map((uri) => `('${uri}','Title of ${uri}','About ${uri}')`)
  return `-- MySQL dump 10.19\n\nCREATE TABLE \`boards\` (\n  \`uri\` varchar(58),\n  \`title\` tinytext,\n  \`subtitle\` tinytext\n);
INSERT INTO \`boards\` VALUES ${listed.join()};\n${tables.join('')}-- Dump completed\n`
}

const VICHAN_ROW: Fields = {
  body: 'text',
  body_nomarkup: 'text',
  time: 1_500_000_000,
  num_files: 0,
  ip: '127.0.0.1',
  sticky: 0,
  locked: 0,
  cycle: 0,
  sage: 0,
}
