import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSqlRows } from '#server/import/source/sqlDump.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dump-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(sql: string | Buffer, name = 'dump.sql') {
  const path = join(folder, name)
  await writeFile(path, sql)
  const rows: unknown[] = []
  for await (const { table, row } of readSqlRows(path, (one) => one.startsWith('posts_'))) rows.push({ table, ...row })
  return rows
}

const CREATE =
  "CREATE TABLE `posts_b` (\n  `id` int(11) NOT NULL COMMENT 'it''s; odd',\n  `body` text,\n  UNIQUE KEY `id` (`id`)\n);\n"

test('reads rows of mysqldump, with the columns of CREATE TABLE', async () => {
  const sql = `-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\nDROP TABLE IF EXISTS \`posts_b\`;\n${CREATE}
LOCK TABLES \`posts_b\` WRITE;\nINSERT INTO \`posts_b\` VALUES (1,'a\\'b\\\\'),(2,NULL),(3,'it''s\\n;)('),(4,_binary 'x'),(5,0x4142),(-6.5,'');
UNLOCK TABLES;\n-- Dump completed`
  expect(await read(sql)).toEqual([
    { table: 'posts_b', id: 1, body: "a'b\\" },
    { table: 'posts_b', id: 2, body: null },
    { table: 'posts_b', id: 3, body: "it's\n;)(" },
    { table: 'posts_b', id: 4, body: 'x' },
    { table: 'posts_b', id: 5, body: 'AB' },
    { table: 'posts_b', id: -6.5, body: '' },
  ])
})

test('reads rows of phpMyAdmin, with column names, and skips other tables', async () => {
  const sql =
    "INSERT INTO `bans` (`id`, `reason`) VALUES\n(1, 'it''s ; (');\nINSERT INTO `x`.`posts_b` (`body`, `id`) VALUES\n('a', 1),\n('b', 2);\n"
  expect(await read(sql)).toEqual([
    { table: 'posts_b', id: 1, body: 'a' },
    { table: 'posts_b', id: 2, body: 'b' },
  ])
})

test('reads statements with options, texts in any of the names of UTF-8, and characters that say so in a text', async () => {
  const sql = `SET NAMES utf8;\n/*!50503 SET NAMES utf8mb4 */;\n${CREATE}INSERT LOW_PRIORITY IGNORE INTO \`posts_b\` VALUES (1,'/*!40101 SET NAMES latin1 */');
INSERT DELAYED INTO \`posts_b\` VALUES (2,'SET NAMES latin1');\n`
  expect(await read(sql)).toEqual([
    { table: 'posts_b', id: 1, body: '/*!40101 SET NAMES latin1 */' },
    { table: 'posts_b', id: 2, body: 'SET NAMES latin1' },
  ])
})

test('refuses a dump of two databases with the same table, whose rows would be mixed', async () => {
  const database = (name: string) =>
    `USE \`${name}\`;\nCREATE TABLE \`bans\` (\n  \`id\` int\n);\n${CREATE}INSERT INTO \`posts_b\` VALUES (1,'${name}');\n`
  await expect(read(database('one') + database('two'))).rejects.toThrow('dump.sql has two tables posts_b')
  expect(await read(database('one').replaceAll('posts_b', 'other') + database('two'))).toHaveLength(1)
})

test('refuses a dump of two databases without their tables', async () => {
  const database = (name: string) =>
    `USE \`${name}\`;\nINSERT INTO \`posts_b\` (\`id\`) VALUES (1);\nUPDATE x SET y = 1;\n`
  await expect(read(database('one') + database('two'))).rejects.toThrow('dump.sql has two tables posts_b')
  expect(await read(database('one').replace('posts_b', 'other') + database('two') + database('two'))).toHaveLength(2)
})

test('reads a compressed dump that is larger than what it reads at once', async () => {
  const rows = Array.from({ length: 3000 }, (_, id) => `(${id + 1},'${"ä\\\\\\'".repeat(300)}')`)
  const skipped = `INSERT INTO \`bans\` VALUES (1,'${'x;'.repeat(1_500_000)}');\n`
  const found = await read(
    gzipSync(`${CREATE}${skipped}INSERT INTO \`posts_b\` VALUES ${rows.join(',')};\n`),
    'dump.sql.gz',
  )
  expect(found).toHaveLength(3000)
  expect(found.at(-1)).toEqual({ table: 'posts_b', id: 3000, body: "ä\\'".repeat(300) })
})

test.each([
  ['that ends inside a row', `${CREATE}INSERT INTO \`posts_b\` VALUES (1,'a`, 'it ends inside a row of posts_b'],
  ['without columns', "INSERT INTO `posts_b` VALUES (1,'a');", 'it has no CREATE TABLE for posts_b'],
  ['with broken rows', `${CREATE}INSERT INTO \`posts_b\` VALUES 1,2;`, 'a row does not begin with a bracket'],
  ['with broken values', `${CREATE}INSERT INTO \`posts_b\` VALUES (1 'a');`, 'a value does not end with a comma'],
  ['in another character set', `/*!40101 SET NAMES latin1 */;\n${CREATE}`, 'its texts are in latin1'],
  ['of a program that sets the character set by itself', `SET NAMES 'cp1251';\n${CREATE}`, 'its texts are in cp1251'],
  ['in UTF-16, as PowerShell writes it', Buffer.from(`\ufeff${CREATE}`, 'utf16le'), 'it is no text in UTF-8'],
  ['that is an archive', Buffer.from('PK\x03\x04\x14\0\0\0\x08', 'latin1'), 'Unpack it'],
])('rejects a dump %s', async (_, sql, message) => {
  await expect(read(sql)).rejects.toThrow(message)
})

test.each([[''], ['hello'], ["'".repeat(1000)], ['INSERT INTO'], [';;--'], [JSON.stringify({ a: 1 })]])(
  'finds no rows in the file %j',
  async (sql) => {
    expect(await read(sql)).toEqual([])
  },
)
