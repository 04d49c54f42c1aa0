import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSqlRows } from '#server/import/source/sqlDump.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dump-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(sql: string) {
  const path = join(folder, 'dump.sql')
  await writeFile(path, sql)
  const rows: unknown[] = []
  for await (const { row } of readSqlRows(path, (name) => name === 'posts_b')) rows.push(row)
  return rows
}

const HEADING = '-- MySQL dump 10.13  Distrib 8.0\n--\n'
const TABLE = 'CREATE TABLE `posts_b` (\n  `id` int\n);\nINSERT INTO `posts_b` VALUES (1);\n'
const SKIPPED = 'CREATE TABLE `bans` (\n  `id` int\n);\n'

test('reads columns with double quotes, as mysqldump --compatible=ansi writes them', async () => {
  const sql =
    'CREATE TABLE "posts_b" (\n  "id" int(11) NOT NULL,\n  "body" text,\n  PRIMARY KEY ("id"),\n  KEY "body" ("body")\n);\nINSERT INTO "posts_b" VALUES (1,\'it\\\'s "x"\');\n'
  expect(await read(sql)).toEqual([{ id: 1, body: 'it\'s "x"' }])
})

test.each([
  ['between statements', `${HEADING}${TABLE}`],
  ['in a comment', `${HEADING}${TABLE}-- Dump comp`],
  [
    'inside a statement that is skipped',
    `${HEADING}${TABLE}${SKIPPED}INSERT INTO \`bans\` VALUES (1,'-- Dump completed`,
  ],
  ['inside the definition of a table', `${HEADING}${TABLE}CREATE TABLE \`x\` (\n`],
  ['after another dump', `${HEADING}${TABLE}-- Dump completed\n-- MariaDB dump 10.19\n${SKIPPED}`],
])('rejects a dump that ends %s', async (_, sql) => {
  await expect(read(sql)).rejects.toThrow(/incomplete, because it does not end with "-- Dump completed"/)
})

test.each([
  ['with the last line', `${HEADING}${TABLE}-- Dump completed on 2024-01-01  1:02:03\n`],
  [
    'with a last line that does not end',
    `/*M!999999\\- enable the sandbox mode */\n${HEADING}${TABLE}\n-- Dump completed`,
  ],
  ['without comments', TABLE],
  ['of another program', `-- phpMyAdmin SQL Dump\n${TABLE}`],
])('reads a dump %s', async (_, sql) => {
  expect(await read(sql)).toEqual([{ id: 1 }])
})
