import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrationsFolder } from '#db/migrate.server.ts'
import { importBoards } from '#server/import/importBoards.ts'
import { openFolder } from '#server/import/source/fourchan.ts'
import { type SearchHit, searchLimits } from '#src/contract/search.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { collectProblems, fourchanThread, writeFolder } from '#tests/helpers/oldBoards.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Search', admin)
  threadId = (await postThread(site, boardId, { title: 'A place for comments' })).body.thread.id
  // The first search compiles what it calls in the embedded database, which can take longer than a search may.
  await search({ q: 'nothing' })
})
afterAll(() => site.close())

const search = (fields: Record<string, string>) =>
  callApi(site, 'GET', `/api/dtpchan/search?${new URLSearchParams(fields)}`)
const find = async (fields: Record<string, string>): Promise<number[]> =>
  (await search(fields)).body.hits.map(({ postId }: SearchHit) => postId)
const comment = async (content: string, fields: Record<string, string | Blob> = {}): Promise<number> =>
  (await postComment(site, { boardId, threadId }, { content, ...fields })).body.comment.id
const thread = async (fields: Record<string, string | Blob>, board = boardId): Promise<number> =>
  (await postThread(site, board, fields)).body.thread.id
const picture = async () =>
  new File([new Uint8Array(await stillImage(640, 480).png().toBuffer())], 'x.png', { type: 'image/png' })
const act = (postId: number, action: string) =>
  callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action, reason: 'x' } })
const restore = (logId: number) => callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })

describe('finds', () => {
  test('threads by title and text, comments and replies, best match first', async () => {
    const opening = await thread({ title: 'Walrus facts', content: 'Large animals' })
    const text = await thread({ title: 'Animals', content: 'A walrus has tusks' })
    const mention = await comment('I saw one walrus')
    const reply = (await postComment(site, { boardId, threadId, commentId: mention }, { content: 'Which walrus?' }))
      .body.reply.id
    const { status, body } = await search({ q: 'WALRUS' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, nextCursor: null, isComplete: true })
    expect(body.hits[0]).toEqual({
      boardId,
      threadId: opening,
      postId: opening,
      title: 'Walrus facts',
      author: 'gl1tch',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      excerpt: 'Large animals',
      picture: null,
      spoiler: false,
    })
    expect(body.hits.map(({ postId }: SearchHit) => postId).sort()).toEqual([opening, text, mention, reply].sort())
    expect(await find({ q: 'walrus', sort: 'date' })).toEqual([reply, mention, text, opening])
  })

  test('phrases, and leaves out excluded words and phrases', async () => {
    const near = await comment('The quick brown fox')
    const apart = await comment('The brown and quick fox')
    expect(await find({ q: 'quick brown' })).toEqual(expect.arrayContaining([near, apart]))
    expect(await find({ q: '"quick brown"' })).toEqual([near])
    expect(await find({ q: 'brown fox -"quick brown"' })).toEqual([apart])
    expect(await find({ q: 'brown fox -and' })).toEqual([near])
    expect(await find({ q: 'quick "fox brown"' })).toEqual([])
  })

  test('imported posts, whose words are those of other posts', async () => {
    const { app } = site
    const folder = await writeFolder({
      'old/thread/1.json': fourchanThread(1, [
        { no: 2, com: 'A narwhal, one of 2' },
        { no: 3, com: 'Ein Narwal für mich' },
      ]),
    })
    await importBoards(app.services, openFolder(folder, []), collectProblems().options)
    await rm(folder, { recursive: true })
    expect([await find({ q: 'narwhal' }), await find({ q: 'fur' })]).toEqual([[expect.anything()], [expect.anything()]])
    const vectors = () => app.services.db.execute(sql`select post_id, vector::text from post_search order by post_id`)
    const imported = [...(await vectors())]
    await app.services.db.execute(sql`delete from post_search`)
    await app.services.db.execute(sql`select index_posts(array(select id from post))`)
    expect([...(await vectors())]).toEqual(imported)
  })

  test('posts before and after their words have moved from the list of new words into the index', async () => {
    const cleanList = async () =>
      (await site.app.services.db.execute(sql`select gin_clean_pending_list('post_search_by_word')::int as pages`))[0]
        ?.pages
    await cleanList()
    const own = await comment('A dugong')
    expect(await find({ q: 'dugong' })).toEqual([own])
    expect(await cleanList()).toBeGreaterThan(0)
    expect(await find({ q: 'dugong' })).toEqual([own])
    // A longer list would slow each search down.
    for (const sign of 'xyz') await comment(Array.from({ length: 2500 }, (_, at) => sign + at).join(' '))
    expect(await cleanList()).toBeLessThanOrEqual(8)
  })

  test('languages whose names differ only in signs', async () => {
    const texts = ['Written in C', 'Written in C++', 'Written in “C#”', 'F# or C++11?', 'With .NET', 'See foobar.net']
    const [c, cpp, sharp, mixed, dotnet, host] = [
      await thread({ title: 'Plain', content: texts[0] ?? '' }),
      await thread({ title: 'I like (C++)', content: 'It is large' }),
      ...(await Promise.all(texts.slice(2).map((text) => comment(text)))),
    ]
    const sorted = async (q: string) => (await find({ q })).toSorted((a, b) => a - b)
    expect(await sorted('c written')).toEqual([c])
    expect(await sorted('C++')).toEqual([cpp, mixed])
    expect(await sorted('"c++11"')).toEqual([mixed])
    expect(await sorted('c#')).toEqual([sharp])
    expect(await sorted('F#')).toEqual([mixed])
    expect(await sorted('.NET')).toEqual([dotnet])
    expect(await sorted('foobar.net')).toEqual([host])
    expect(await sorted('net')).toEqual([host])

    // Posts that were indexed before have other words: the migration indexes them again.
    const [database] = [site.app.services.db]
    await database.execute(
      sql`update post_search set vector = to_tsvector('simple', 'c old') where post_id in (${cpp}, ${sharp})`,
    )
    const [create, remove, index] = readFileSync(`${migrationsFolder}/0037_search_languages.sql`, 'utf8').split(
      '--> statement-breakpoint',
    )
    for (const statement of [create, remove, index]) await database.execute(sql.raw(statement ?? ''))
    expect(await sorted('C++')).toEqual([cpp, mixed])
    expect(await sorted('c#')).toEqual([sharp])
    expect(await sorted('c old')).toEqual([])
  })

  test('posts of a nick, whatever its letters', async () => {
    const [plain, odd] = [
      await comment('solder', { author: 'Érik' }),
      await comment('solder', { author: `a' & \\ b!` }),
    ]
    expect(await find({ q: 'nick:erik' })).toEqual([plain])
    expect(await find({ q: `nick:"a' & \\ b!" solder` })).toEqual([odd])
    expect(await find({ q: 'solder -nick:ERIK' })).toEqual([odd])
    expect(await find({ q: 'solder nick:érik nick:other' })).toEqual([plain])
    expect(await find({ q: 'nick:eri' })).toEqual([])
  })

  test('words in any script, without case and accents, on both databases', async () => {
    const posts: [text: string, queries: string[]][] = [
      ['Crème brûlée für Ärzte', ['creme', 'BRULEE', 'arzte']],
      ['ЁЛКА и ель', ['елка', 'Ёлка', 'ЕЛЬ']],
      ['ΟΔΥΣΣΕΙΑ του Ομήρου', ['οδυσσεια', 'ομηρου']],
      ['東京の日本語サーバー', ['日本', '東京', 'サーバー', '語']],
      ['한국어 게시판', ['한국어']],
      ['مرحبا بالعالم', ['مرحبا']],
      ['ｆｕｌｌ ｗｉｄｔｈ ﬁne', ['full', 'fine']],
      ['“curly”—dashed…end', ['curly', 'dashed', 'end']],
      ['cat /etc/passwd | foo_bar@example.com', ['passwd', '"etc passwd"', 'bar', 'example', 'foo_bar@example.com']],
    ]
    for (const [text, queries] of posts) {
      const id = await comment(text)
      for (const q of queries) expect([q, await find({ q })]).toEqual([q, [id]])
    }
  })

  test('only posts of a board, with a picture, and of the given days', async () => {
    const other = await createBoard(site, 'Other', admin)
    site.setNow(new Date('2025-03-31T23:59:59Z'))
    const old = await comment('capacitor')
    site.setNow(new Date('2025-04-01T00:00:00Z'))
    const elsewhere = await thread({ content: 'capacitor' }, other)
    site.setNow(null)
    const shown = await comment('capacitor', { image: await picture() })
    const { hits } = (await search({ q: 'capacitor', images: 'true' })).body
    expect(hits).toEqual([expect.objectContaining({ postId: shown })])
    expect(hits[0].picture).toEqual({ url: expect.stringMatching(/^\/dtpchan\/uploads\//), width: 533, height: 400 })
    expect(await find({ q: 'capacitor', board: other })).toEqual([elsewhere])
    expect(await find({ q: 'capacitor', to: '2025-03-31' })).toEqual([old])
    expect(await find({ q: 'capacitor', from: '2025-04-01', to: '2025-04-01' })).toEqual([elsewhere])
    expect(await find({ q: 'capacitor', from: '2025-04-02', sort: 'date' })).toEqual([shown])
    expect(await find({ q: 'capacitor', from: '2025-01-01', sort: 'date' })).toEqual([shown, elsewhere, old])
    expect(await find({ q: 'capacitor', to: '1980-01-01' })).toEqual([])
    expect((await search({ q: 'capacitor', board: 'nowhere' })).status).toBe(404)

    await act(shown, 'spoiler')
    expect((await search({ q: 'capacitor', images: 'true' })).body.hits[0]).toMatchObject({
      picture: null,
      spoiler: true,
    })
    await act(shown, 'delete-image')
    expect(await find({ q: 'capacitor', images: 'true' })).toEqual([])
    expect(await find({ q: 'capacitor', from: '2025-04-02' })).toEqual([shown])
  })

  test('a word in the middle of a long post, but shows no spoiler', async () => {
    await comment(`${'filler '.repeat(400)}zeppelin [spoiler]the butler[/spoiler] did it`)
    const [hit] = (await search({ q: 'zeppelin' })).body.hits
    expect(hit.excerpt).toMatch(/^….*filler zeppelin \[spoiler\] did it$/)
    expect(JSON.stringify((await search({ q: 'butler' })).body)).not.toContain('the butler')
  })
})

describe('never finds', () => {
  test('deleted posts, but finds restored ones', async () => {
    const inThread = await thread({ title: 'Ephemeral', content: 'ephemeral' })
    const { comment } = (await postComment(site, { boardId, threadId: inThread }, { content: 'ephemeral too' })).body
    expect(await find({ q: 'ephemeral' })).toHaveLength(2)
    const { logId } = (await act(comment.id, 'delete')).body
    expect(await find({ q: 'ephemeral' })).toEqual([inThread])
    await restore(logId)
    expect(await find({ q: 'ephemeral' })).toHaveLength(2)
    const removal = (await act(inThread, 'delete')).body
    expect(await find({ q: 'ephemeral' })).toEqual([])
    await restore(removal.logId)
    expect(await find({ q: 'ephemeral', sort: 'date' })).toEqual([comment.id, inThread])
  })

  test('held posts until they are published', async () => {
    const filter = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
    await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: filter })
    const held = await comment('a doubtful zyzzyva')
    const opening = await thread({ title: 'Zyzzyva', content: 'doubtful' })
    expect(await find({ q: 'zyzzyva' })).toEqual([])
    for (const id of [held, opening]) {
      expect(
        (await callApi(site, 'POST', `/api/moderation/held/${id}/approve`, { token: admin, json: {} })).status,
      ).toBe(200)
    }
    expect(await find({ q: 'zyzzyva', sort: 'date' })).toEqual([opening, held])
  })

  test('posts of a deleted board', async () => {
    const doomed = await createBoard(site, 'Doomed', admin)
    await thread({ title: 'Atlantis', content: 'sinks' }, doomed)
    expect(await find({ q: 'atlantis' })).toHaveLength(1)
    await callApi(site, 'DELETE', `${BOARDS}/${doomed}`, { token: admin })
    expect(await find({ q: 'atlantis' })).toEqual([])
  })
})

describe('pages', () => {
  const COUNT = 3 * searchLimits.hitsPerPage - 5

  test.each(['date', 'relevance'])('by %s have no gaps and no duplicates while others post', async (sort) => {
    const word = `paging${sort}`
    const ids: number[] = []
    for (let at = 0; at < COUNT; at++) ids.push(await comment(`${word} ${'again '.repeat(at % 4)}`))
    const seen: number[] = []
    let cursor = ''
    do {
      const { body } = await search({ q: word, sort, cursor })
      seen.push(...body.hits.map(({ postId }: SearchHit) => postId))
      cursor = body.nextCursor ?? ''
      await comment(word)
    } while (cursor)
    expect(seen.toSorted((a, b) => a - b)).toEqual(ids)
    if (sort === 'date') expect(seen).toEqual(ids.toReversed())
  })

  test.each(['x', '1-2-3-4', '9'.repeat(16), '5-5-1e999', '\0'])('refuse the cursor %j', async (cursor) => {
    for (const sort of ['date', 'relevance', '']) {
      const { status, body } = await search({ q: 'walrus', sort, cursor })
      expect([status, body.error]).toEqual([400, 'The cursor is not valid'])
    }
  })

  test.each([
    ['date', '5-5-1'],
    ['relevance', '5'],
    ['', '5'],
  ])('refuse for the sort %j the cursor %s of the other', async (sort, cursor) => {
    expect((await search({ q: 'walrus', sort, cursor })).status).toBe(400)
  })

  test('rank only the newest matches of a common word, across blocks of posts', async () => {
    const { db } = site.app.services
    const blocks = 4
    await db.execute(sql`insert into post (id, thread_id, author, content, created_at)
      select 1000000 + 70000 * (n % ${blocks}::int) + n, ${threadId}::bigint, 'me', 'ubiquitous', now()
      from generate_series(1, ${searchLimits.ranked + 200}::int) n`)
    const { hits, isComplete } = (await search({ q: 'ubiquitous' })).body
    expect([hits.length, isComplete]).toEqual([searchLimits.hitsPerPage, false])
    const [newest] = await db.execute<{ id: string }>(sql`select max(id) as id from post`)
    expect(await find({ q: 'ubiquitous', sort: 'date' })).toContain(Number(newest?.id))
  })
})

describe('refuses', () => {
  test.each([
    ['nothing', {}],
    ['an empty query', { q: '' }],
    ['signs only', { q: '!? …' }],
    ['excluded words only', { q: '-walrus' }],
    ['NUL', { q: 'a\0' }],
    ['a long query', { q: 'a '.repeat(150) }],
    ['many words', { q: 'a '.repeat(20) }],
    ['NUL as the board', { q: 'a', board: '\0' }],
    ['a wrong date', { q: 'a', from: '2026-13-01' }],
    ['a wrong order', { q: 'a', sort: 'best' }],
  ])('%s', async (_name, fields) => {
    const { status, body } = await search(fields as Record<string, string>)
    expect([status, body.success]).toEqual([400, false])
    expect(body.error).not.toBe('')
  })

  test.each(['"', "'", '\\', '!', '&|()<->:*', "a':* b", '-"', 'nick:"\'', '%_', 'a <-> b', '𝕒 ²', '\u200b', 'ª'])(
    'no odd text with an error: %s',
    async (text) => {
      for (const q of [text, `walrus ${text}`, `walrus -${text}`, `nick:${text}`]) {
        expect([200, 400]).toContain((await search({ q })).status)
      }
    },
  )

  test('no page with an error', async () => {
    for (const query of [
      'q=walrus',
      'q=',
      'q=-a',
      `q=${'a'.repeat(1000)}`,
      'q=%00',
      'q=a&q=b',
      'q=a&from=x',
      'cursor=1',
    ]) {
      const page = await site.app.inject({ method: 'GET', url: `/api/dtpchan/search?${query}` })
      expect([query, page.statusCode < 500]).toEqual([query, true])
    }
  })
})
