import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { ImportError } from '#server/import/types.ts'
import { explainReadError } from './files.ts'

type SqlValue = string | number | null
export type SqlRow = Record<string, SqlValue>

/** Limits the memory for one row or statement: a dump that is not SQL has no end of either. */
const MAX_BUFFERED = 64 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const ESCAPES: Record<string, string> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' }

/** Thrown inside the parser when the rest of a row has not been read yet. */
const INCOMPLETE = Symbol('incomplete')

/**
 * Reads the rows of INSERT statements from a dump of mysqldump or phpMyAdmin, statement by statement.
 * @param path may end in `.gz`
 * @param wants which tables to read; other statements are skipped without parsing their rows
 */
export async function* readSqlRows(
  path: string,
  wants: (table: string) => boolean,
): AsyncGenerator<{ table: string; row: SqlRow }> {
  const columns = new Map<string, string[]>()
  let database = ''
  /** the database of each wanted table */
  const databases = new Map<string, string>()
  let text = ''
  let at = 0
  let isEnd = false
  /** beginning of mysqldump's heading, until its last line is read */
  let heading: string | null = null
  const chunks = openText(path)[Symbol.asyncIterator]()

  async function more(): Promise<void> {
    const { done, value } = await chunks.next().catch((error) => {
      throw explainReadError(error, path)
    })
    // As in UTF-16, which a redirection in PowerShell writes, and in archives.
    if (text === '' && value?.slice(0, 1000).includes('\0'))
      throw new ImportError(
        `Cannot read ${path}: it is no text in UTF-8. Unpack it (only .gz is read), or write it with mysqldump --result-file=dump.sql`,
      )
    if (text.length - at > MAX_BUFFERED) throw new ImportError(`Cannot read ${path}: a statement has no end`)
    text = text.slice(at) + (value ?? '')
    at = 0
    isEnd = done === true
  }

  /** Runs a parser at `at`, again with more text if the text ends inside. @returns null at the end of the dump */
  async function parse<T>(parser: (text: string, at: number) => { value: T; end: number }): Promise<T | null> {
    while (true) {
      try {
        const { value, end } = parser(text, at)
        at = end
        return value
      } catch (error) {
        if (error !== INCOMPLETE) throw error
        if (isEnd) return null
        await more()
      }
    }
  }

  while (true) {
    const head = await parse(readHead)
    if (head === null) {
      if (heading !== null && !LAST_LINE.test(text.slice(at).trimStart()))
        throw new ImportError(
          `Cannot import: ${path} is incomplete, because it does not end with "-- Dump completed". Write it again, or delete its line "${heading}" to import what it has`,
        )
      return
    }
    if (head.charset !== undefined && !UTF8.test(head.charset))
      throw new ImportError(
        `Cannot read ${path}: its texts are in ${head.charset}. Write it again with --default-character-set=utf8mb4`,
      )
    if (head.kind === 'comment') {
      heading = HEADING.exec(head.line)?.[0] ?? heading
      if (LAST_LINE.test(head.line)) heading = null
    }
    if (head.kind === 'use') database = head.database
    if (head.kind !== 'create' && head.kind !== 'insert') continue
    const isSecond =
      head.kind === 'create' ? columns.has(head.table) : (databases.get(head.table) ?? database) !== database
    if (isSecond && wants(head.table))
      throw new ImportError(
        `Cannot import: ${path} has two tables ${head.table}, as a dump of several databases has. Write one database`,
      )
    if (head.kind === 'create') {
      columns.set(head.table, head.columns)
      continue
    }
    databases.set(head.table, database)
    const names = head.columns ?? columns.get(head.table)
    if (!wants(head.table)) {
      await parse((source, from) => ({ value: true, end: skipStatement(source, from) }))
      continue
    }
    if (!names)
      throw new ImportError(`Cannot read ${path}: it has no CREATE TABLE for ${head.table} and no column names`)
    for (let isLast = false; !isLast; ) {
      const row = await parse(readRow)
      if (row === null) throw new ImportError(`Cannot read ${path}: it ends inside a row of ${head.table}`)
      isLast = row.isLast
      yield {
        table: head.table,
        row: Object.fromEntries(names.map((name, index) => [name, row.values[index] ?? null])),
      }
    }
  }
}

function openText(path: string): AsyncIterable<string> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const stream = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  file.on('error', (error) => stream.destroy(error))
  return stream.setEncoding('utf8')
}

/** `charset`: the character set that the texts after this have */
type Head = { charset?: string | undefined } & (
  | { kind: 'insert'; table: string; columns: string[] | null }
  | { kind: 'create'; table: string; columns: string[] }
  | { kind: 'use'; database: string }
  | { kind: 'comment'; line: string }
  | { kind: 'other' }
)

const HEADING = /^-- (?:MySQL|MariaDB) dump/
const LAST_LINE = /^-- Dump completed/

const UTF8 = /^(?:utf8(?:mb[34])?|binary|ascii)$/i
const CHARSET = /^set\s+names\s+'?(\w+)/i
/** mysqldump hides the statement from other databases. */
const CHARSET_COMMENT = /\/\*!\d+\s+set\s+names\s+'?(\w+)/i

const NAME = '(?:[`"]?[^`"\\s(.]+[`"]?\\.)?[`"]?([^`"\\s(.]+)[`"]?'
const INSERT = new RegExp(
  `(?:insert|replace)(?:\\s+(?:low_priority|delayed|high_priority|ignore))*\\s+into\\s+${NAME}\\s*(\\([^)]*\\))?\\s*values\\s*`,
  'iy',
)
const CREATE = new RegExp(`create\\s+table\\s+(?:if\\s+not\\s+exists\\s+)?${NAME}`, 'iy')
const USE = /use\s+[`"]?([^`"\s;]+)/iy
/** longer than any beginning of a statement that the expressions above match */
const HEAD_LENGTH = 8192

/** Reads a comment or the beginning of the next statement; an INSERT's rows follow it. */
function readHead(text: string, from: number): { value: Head; end: number } {
  const at = skipSpace(text, from)
  if (at >= text.length) throw INCOMPLETE
  const charset = CHARSET_COMMENT.exec(text.slice(from, at))?.[1]
  if (isLineComment(text, at)) {
    const end = endOf(text, '\n', at)
    return { value: { kind: 'comment', line: text.slice(at, end), charset }, end }
  }
  INSERT.lastIndex = at
  const insert = INSERT.exec(text)
  if (insert) {
    if (INSERT.lastIndex >= text.length) throw INCOMPLETE
    const [, table = '', columns] = insert
    const names =
      columns === undefined ? null : [...columns.matchAll(/[`"]?([^`"(),\s]+)[`"]?/g)].map(([, name = '']) => name)
    return { value: { kind: 'insert', table, columns: names, charset }, end: INSERT.lastIndex }
  }
  if (/^(?:insert|replace)\b/i.test(text.slice(at, at + 8)) && text.length - at < HEAD_LENGTH) throw INCOMPLETE
  const end = skipStatement(text, at)
  CREATE.lastIndex = at
  const create = CREATE.exec(text)
  if (!create) {
    USE.lastIndex = at
    const database = USE.exec(text)?.[1]
    if (database !== undefined) return { value: { kind: 'use', database, charset }, end }
    return { value: { kind: 'other', charset: charset ?? CHARSET.exec(text.slice(at, end))?.[1] }, end }
  }
  // mysqldump and phpMyAdmin write each column on its own line. Names have double quotes with --compatible=ansi.
  const columns = [...text.slice(at, end).matchAll(/^\s*[`"]([^`"]+)[`"]\s/gm)].map(([, name = '']) => name)
  return { value: { kind: 'create', table: create[1] ?? '', columns, charset }, end }
}

/** Skips white space and block comments outside statements. */
function skipSpace(text: string, from: number): number {
  let at = from
  while (true) {
    while (at < text.length && /[\s;]/.test(text.charAt(at))) at++
    if (at + 2 > text.length) return text.length
    if (!text.startsWith('/*', at)) return at
    at = endOf(text, '*/', at + 2)
  }
}

const isLineComment = (text: string, at: number) => text.startsWith('--', at) || text.startsWith('#', at)

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  if (found < 0) throw INCOMPLETE
  return found + mark.length
}

/** Returns the end of a statement: the next `;` that is not quoted. */
function skipStatement(text: string, from: number): number {
  const next = /[;'"`]/g
  next.lastIndex = from
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (found[0] === ';') return next.lastIndex
    next.lastIndex = quoteEnd(text, found.index)
  }
  throw INCOMPLETE
}

/** Returns the end of the quoted text that begins at `at`. A doubled quote looks like two texts, with the same end. */
function quoteEnd(text: string, at: number): number {
  const quote = text.charAt(at)
  for (let end = text.indexOf(quote, at + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    let backslashes = 0
    if (quote !== '`') while (text.charAt(end - 1 - backslashes) === '\\' && end - 1 - backslashes > at) backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
  throw INCOMPLETE
}

function readRow(text: string, from: number): { value: { values: SqlValue[]; isLast: boolean }; end: number } {
  let at = skipBlanks(text, from)
  if (text.charAt(at) !== '(') throw new ImportError('Cannot read the dump: a row does not begin with a bracket')
  const values: SqlValue[] = []
  while (text.charAt(at) !== ')') {
    const { value, end } = readValue(text, skipBlanks(text, at + 1))
    values.push(value)
    at = skipBlanks(text, end)
    if (!/[,)]/.test(text.charAt(at))) throw new ImportError('Cannot read the dump: a value does not end with a comma')
  }
  at = skipBlanks(text, at + 1)
  // After the last row, `on duplicate key …` may follow.
  const isLast = text.charAt(at) !== ','
  return { value: { values, isLast }, end: isLast ? skipStatement(text, at) : at + 1 }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  if (at >= text.length) throw INCOMPLETE
  return at
}

const PLAIN = /(?:_\w+\s*|x(?='))?(?:(?=')|([^,()'\s]+))/iy

function readValue(text: string, at: number): { value: SqlValue; end: number } {
  PLAIN.lastIndex = at
  const plain = PLAIN.exec(text)
  if (!plain) throw new ImportError('Cannot read the dump: a value is not SQL')
  const end = PLAIN.lastIndex
  if (end >= text.length) throw INCOMPLETE
  if (text.charAt(end) === "'") {
    const quoted = readQuoted(text, end)
    return /^x$/i.test(plain[0]) ? { ...quoted, value: fromHex(quoted.value) } : quoted
  }
  const word = plain[1] ?? ''
  if (/^null$/i.test(word)) return { value: null, end }
  if (/^0x[\da-f]*$/i.test(word)) return { value: fromHex(word.slice(2)), end }
  return { value: /^(?:true|false)$/i.test(word) ? Number(/^t/i.test(word)) : Number(word), end }
}

function readQuoted(text: string, from: number): { value: string; end: number } {
  let end = quoteEnd(text, from)
  if (end >= text.length) throw INCOMPLETE
  while (text.charAt(end) === "'") {
    end = quoteEnd(text, end)
    if (end >= text.length) throw INCOMPLETE
  }
  const inner = text.slice(from + 1, end - 1)
  const value = /[\\']/.test(inner)
    ? inner.replace(/\\([\s\S])|''/g, (_, escaped) => (escaped === undefined ? "'" : (ESCAPES[escaped] ?? escaped)))
    : inner
  return { value, end }
}

const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString()
