import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrationsFolder } from '#db/migrate.server.ts'
import { listSearchWords } from '#server/import/text/searchWords.ts'
import { foldText } from '#src/contract/searchQuery.ts'
import { removeLongMarkRuns } from '#src/contract/text.ts'
import { callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { fc } from '#tests/helpers/property.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  boardId = await createBoard(site, 'Marks', await site.createToken('admin@example.org', 'admin'))
  threadId = (await postThread(site, boardId)).body.thread.id
  await createFirstFold()
})
afterAll(() => site.close())

/** Creates `first_fold`, the function as the search was released with it. */
async function createFirstFold() {
  const statements = readFileSync(`${migrationsFolder}/0021_search.sql`, 'utf8').split('--> statement-breakpoint')
  const create = statements.find((text) => text.includes('FUNCTION "search_fold"'))
  await site.app.services.db.execute(sql.raw(create?.replace('"search_fold"', '"first_fold"') ?? ''))
}

async function fold(texts: string[], name: 'search_fold' | 'first_fold' = 'search_fold'): Promise<string[]> {
  const rows = await site.app.services.db.execute<{ folded: string }>(sql`
    select ${sql.raw(name)}(value) as folded
    from json_array_elements_text(${JSON.stringify(texts)}::json) with ordinality order by ordinality`)
  return rows.map(({ folded }) => folded)
}

/** Marks of several scripts and planes, among them some that decompose into marks. */
const MARKS = [
  ...'\u0301\u0316\u034f\u0344\u0591\u05b0\u064b\u093c\u0f39\u0f73\u0f75\u0f81\u1dc0\u20d0\u20dd\u302a\u3099',
].concat([...'\ufb1e\ufe20\uff9e\uff9f\u{101fd}\u{1d165}\u{1d16e}\u{1e8d0}\u{1e944}'])
const LETTERS = [...'aZé1 \nßЁδ日カ한ض\u0378ﬁﱞ\ufdfa\u{1d400}']
const markRun = fc.array(fc.constantFrom(...MARKS), { maxLength: 40 }).map((marks) => marks.join(''))
const texts = fc.array(fc.array(fc.oneof(fc.constantFrom(...LETTERS), markRun)).map((parts) => parts.join('')))
const anyTexts = fc.array(
  fc
    .array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), markRun))
    .map((parts) => parts.join('')),
)

describe('the folding of the database', () => {
  test('is the one of the marked matches', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        expect(await fold(given)).toEqual(given.map(foldText))
      }),
    )
  })

  test('did not change for texts without long runs of marks', async () => {
    await fc.assert(
      fc.asyncProperty(anyTexts, async (given) => {
        const usual = given.map((text) => removeLongMarkRuns(text.replaceAll('\0', '')))
        expect(await fold(usual)).toEqual(await fold(usual, 'first_fold'))
      }),
    )
  })

  test('knows every character that the database reorders', async () => {
    // Normalization puts the mark with the lower class first. U+0334 has the lowest class, U+0345 the highest.
    const [lowest, highest] = ['\u0334', '\u0345']
    const unknown = await site.app.services.db.execute(sql`
      with character as materialized (
        select chr(code) as value from generate_series(1, ${0xe0fff}::int) as code
        where code not between ${0xd800}::int and ${0xdfff}::int and code not between ${0x40000}::int and ${0xdffff}::int),
      reordered as materialized (
        select value from character where starts_with(normalize(value || ${lowest}::text, NFKD), ${lowest}::text)
          or not starts_with(normalize(${highest}::text || value, NFKD), ${highest}::text))
      select to_hex(ascii(value)) as code from reordered where search_fold('é' || repeat(value, 17)) <> 'e'`)
    expect(unknown).toHaveLength(0)
  })

  test.each([
    ['two sorted blocks', 'a'.padEnd(9_991, '\u0301').padEnd(19_981, '\u0316')],
    ['alternating accents', 'a'.padEnd(20_000, '\u0316\u0301')],
    ['Hebrew marks', 'a'.padEnd(20_000, '\u05b0\u0591')],
    ['marks of the supplementary planes', `a${'\u{1d165}\u{1e8d0}'.repeat(10_000)}`],
    ['marks that decompose into marks', 'a'.padEnd(20_000, '\u0f73\u0344\u0316')],
    ['halfwidth sound marks', 'a'.padEnd(20_000, '\u0316\uff9e')],
    ['grapheme joiners', 'a'.padEnd(20_000, `\u034f${'\u0591\u05b0'.repeat(8)}`)],
    ['runs that are almost too long', 'a'.padEnd(20_000, `${'\u0591\u05b0'.repeat(8)}a`)],
  ])('is the same for %s', async (_name, text) => {
    expect(await fold([text])).toEqual([foldText(text)])
  })
})

describe('the words of a text', () => {
  const pieces = fc.constantFrom(
    ...' \n.,+#/@-:_&<>\x01\x7f',
    ...'C++ c# .NET .net a.net 1e5 2e7x 0x1f 10.5 “a” …net é 日'.split(' '),
  )
  const texts = fc.array(fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 }))).map((parts) => parts.join('')))

  test('are the same in an import, which lists most of them itself', async () => {
    const long = ['x'.repeat(2_050), 'a '.repeat(300), Array.from({ length: 17_000 }, (_, at) => `w${at}`).join(' ')]
    let own = 0
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const rows = [...given, ...long].map((text) => ({ text, words: listSearchWords(text) }))
        own += rows.filter(({ words }) => words !== null).length
        const others = await site.app.services.db.execute(sql`
          select text, words from json_to_recordset(${JSON.stringify(rows)}::json) as given(text text, words tsvector)
          where words <> to_tsvector('simple', search_words(text))`)
        expect([...others]).toEqual([])
      }),
    )
    expect(own).toBeGreaterThan(100)
  })
})

test('a post full of marks is stored as typed, and found by its words', async () => {
  const content = `zalgo${'\u0316\u0301'.repeat(4_000)} xylophone${'\u05b0\u0591'.repeat(4_000)} quokka`
  const { status, body } = await postComment(site, { boardId, threadId }, { content })
  expect([status, body.comment.content]).toEqual([200, content])
  for (const q of ['zalgo', 'xylophone', 'quokka', 'zalgo\u0301', '"zalgo xylophone quokka"', content.slice(0, 100)]) {
    const { hits } = (await callApi(site, 'GET', `/api/dtpchan/search?${new URLSearchParams({ q })}`)).body
    expect(hits).toEqual([expect.objectContaining({ postId: body.comment.id })])
  }
})

test('a search of a post full of marks shows the place of the match', async () => {
  const content = `a${'\u0316\u0301'.repeat(9_900)} marsupial at the end`
  await postComment(site, { boardId, threadId }, { content })
  const { hits } = (await callApi(site, 'GET', '/api/dtpchan/search?q=marsupial')).body
  expect(hits).toEqual([expect.objectContaining({ excerpt: expect.stringMatching(/marsupial at the end$/) })])
})
