import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { ImportError, type ReportProblem } from '#server/import/types.ts'
import { type Fields, isObject, parseJson } from './values.ts'

/** Limits the memory for one object of a list. */
const MAX_OBJECT = 64 * 1024 * 1024

/**
 * Reads the objects that mongoexport writes: one per line, or a list with `--jsonArray`. A missing file has none.
 * Reports what is not JSON.
 */
export async function* readObjects(path: string, report: ReportProblem): AsyncGenerator<Fields> {
  if (!(await isReadable(path))) return
  const texts = (await isList(path)) ? splitList(path) : splitLines(path)
  for await (const { text, where } of texts) {
    const value = parse(text)
    if (isObject(value)) yield value
    else report(basename(path), `${where} left out: it is not the JSON of an object, or it is cut off`)
  }
}

const isReadable = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

async function isList(path: string): Promise<boolean> {
  for await (const chunk of createReadStream(path, 'utf8')) {
    const start = String(chunk).trimStart()
    if (start !== '') return start.startsWith('[')
  }
  return false
}

type Piece = { text: string; where: string }

async function* splitLines(path: string): AsyncGenerator<Piece> {
  let number = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (text.trim() !== '') yield { text, where: `line ${number}` }
  }
}

/** Splits a list, which is one long line, at the brackets of its objects. */
async function* splitList(path: string): AsyncGenerator<Piece> {
  let text = ''
  let at = 0
  let start = -1
  let depth = 0
  let isQuoted = false
  let count = 0
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    text += chunk
    const marks = /["{}]|\\[\s\S]/g
    marks.lastIndex = at
    for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
      at = marks.lastIndex
      if (mark[0] === '"') isQuoted = !isQuoted
      if (isQuoted) continue
      if (mark[0] === '{' && depth++ === 0) start = mark.index
      if (mark[0] === '}' && depth > 0 && --depth === 0) {
        yield { text: text.slice(start, at), where: `object ${++count}` }
        start = -1
      }
    }
    const from = start < 0 ? at : start
    text = text.slice(from)
    at -= from
    if (start > 0) start = 0
    if (text.length > MAX_OBJECT) throw new ImportError(`Cannot read ${path}: an object has no end`)
  }
  if (start >= 0) yield { text, where: `object ${count + 1}` }
}
