import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { ThreadView } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  readBoard,
  readThread,
} from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
beforeAll(async () => {
  site = await startSite({ LIST_BYTE_LIMIT: '300000' })
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

const picture = async () => new File([await stillImage(600, 400).png().toBuffer()], 'x.png', { type: 'image/png' })

describe('a locked thread', () => {
  let boardId: string
  let at: { boardId: string; threadId: number; commentId: number }
  beforeAll(async () => {
    boardId = await createBoard(site, 'Locked', admin)
    const threadId = (await postThread(site, boardId)).body.thread.id
    const commentId = (await postComment(site, { boardId, threadId })).body.comment.id
    at = { boardId, threadId, commentId }
    await site.app.services.db.execute(sql`update thread set locked = true where id = ${threadId}`)
  })

  test('says so in the thread and in lists', async () => {
    expect((await readThread(site, boardId, at.threadId)).body.thread.locked).toBe(true)
    expect((await callApi(site, 'GET', `${BOARDS}/${boardId}/threads`)).body.threads[0].locked).toBe(true)
  })

  test('refuses comments, replies, quotes and images', async () => {
    const { threadId, commentId } = at
    const answers = [
      await postComment(site, { boardId, threadId }),
      await postComment(site, at),
      await postComment(site, { boardId, threadId }, { content: `>>${commentId}` }),
      await postComment(site, { boardId, threadId }, { image: await picture() }),
    ]
    for (const { status, body } of answers) {
      expect({ status, ...body }).toEqual({ status: 403, success: false, error: 'This thread is locked' })
    }
    expect((await readThread(site, boardId, threadId)).body.thread).toMatchObject({ commentCount: 1, replyCount: 0 })
  })

  test('takes posts of admins and of the board’s moderators only', async () => {
    const tokens = {
      admin,
      moderator: await site.createToken('moderator@example.org'),
      member: await site.createToken('member@example.org'),
    }
    await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
    const statuses: Record<string, number[]> = {}
    for (const [who, token] of Object.entries(tokens)) {
      const { threadId } = at
      statuses[who] = [
        (await postComment(site, { boardId, threadId }, {}, token)).status,
        (await postComment(site, { boardId, threadId }, { image: await picture() }, token)).status,
      ]
    }
    expect(statuses).toEqual({ admin: [200, 200], moderator: [200, 200], member: [403, 403] })
  })
})

describe('pinned threads', () => {
  const THREADS = 60

  /** Adds threads, the newest first, and pins those with these numbers. Returns the id of each number. */
  async function addThreads(boardId: string, pinned: number[], content = 'text'): Promise<number[]> {
    const rows = await site.app.services.db.execute<{ id: string }>(sql`
      with opened as (
        insert into thread (id, board_id, title, last_activity, pinned)
        select nextval('post_number'), ${boardId}, n, now() - n * interval '1 minute', n = any(${`{${pinned}}`}::int[])
        from generate_series(0, ${THREADS - 1}::int) n returning id, title),
      posted as (
        insert into post (id, thread_id, author, content, created_at)
        select case when n = 0 then id else nextval('post_number') end, id, 'me', ${content}, now()
        from opened, generate_series(0, 5) n)
      select id from opened order by title::int`)
    return rows.map(({ id }) => Number(id))
  }

  type Page = { threads: Pick<ThreadView, 'id' | 'pinned'>[]; nextCursor: string | null }
  const readApi = async (boardId: string, cursor?: string) =>
    (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads${cursor ? `?cursor=${cursor}` : ''}`)).body as Page
  const readPage = (boardId: string, cursor?: string): Promise<Page> => readBoard(site, boardId, cursor)

  test.each([
    ['call', readApi],
    ['board page', readPage],
  ])('come first on the first page of the %s, and on no other page', async (name, read) => {
    const boardId = await createBoard(site, `Pinned ${name.length}`, admin)
    const ids = await addThreads(boardId, [3, 40, 59])
    const first = await read(boardId)
    const pinned = [3, 40, 59]
    const others = ids.map((_id, n) => n).filter((n) => !pinned.includes(n))
    const numbers = ({ threads }: Page) => threads.map(({ id }) => ids.indexOf(id))
    expect(numbers(first)).toEqual([...pinned, ...others.slice(0, 47)])
    expect(first.threads.map((thread) => thread.pinned)).toEqual([true, true, true, ...Array(47).fill(false)])
    const second = await read(boardId, first.nextCursor ?? '')
    expect(numbers(second)).toEqual(others.slice(47))
    expect(second.nextCursor).toBeNull()
  })

  test('never hide other threads when they fill the list', async () => {
    const boardId = await createBoard(site, 'Long pins', admin)
    const ids = await addThreads(boardId, [50, 51, 52, 53], 'x'.repeat(20_000))
    const seen: number[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const page: Page = await readApi(boardId, cursor)
      seen.push(...page.threads.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
      pages++
    } while (cursor && pages < 100)
    const at = [50, 51, 52, 53].map((n) => ids[n])
    expect(seen).toEqual([...at, ...ids.filter((id) => !at.includes(id))])
    expect(pages).toBeGreaterThan(3)
  })

  const act = (boardId: string, postId: number, action: string) =>
    callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action } })
  const isPinned = async (boardId: string, threadId: number) =>
    (await readThread(site, boardId, threadId)).body.thread.pinned
  const firstTen = Array.from({ length: boardLimits.pinnedThreads }, (_, n) => n)

  test('are at most ten, also if several are pinned at the same time', async () => {
    const boardId = await createBoard(site, 'Ten pins', admin)
    const ids = await addThreads(boardId, firstTen.slice(2))
    const answers = await Promise.all(ids.slice(8, 16).map((id) => act(boardId, id, 'pin')))
    const [pinned, refused] = [200, 409].map((wanted) => answers.filter(({ status }) => status === wanted))
    // Numbers 8 and 9 are pinned already, so they do not count.
    expect([pinned?.length, refused?.length]).toEqual([4, 4])
    expect(refused?.[0]?.body).toEqual({ success: false, error: t('moderation.tooManyPins', { max: 10 }) })
    const { threads } = await readApi(boardId)
    expect(threads.filter((thread) => thread.pinned)).toHaveLength(10)

    const other = ids[20] as number
    expect((await act(boardId, other, 'pin')).status).toBe(409)
    expect(await isPinned(boardId, other)).toBe(false)
    await act(boardId, ids[2] as number, 'unpin')
    expect((await act(boardId, other, 'pin')).status).toBe(200)
    const elsewhere = await createBoard(site, 'Own pins', admin)
    const { thread } = (await postThread(site, elsewhere)).body
    expect((await act(elsewhere, thread.id, 'pin')).status).toBe(200)
  })

  test('are restored as pinned only if there is room', async () => {
    const boardId = await createBoard(site, 'Restored pins', admin)
    const ids = await addThreads(boardId, firstTen)
    const [first, second, other] = [ids[0], ids[1], ids[20]] as [number, number, number]
    const removed = [await act(boardId, first, 'delete'), await act(boardId, second, 'delete')]
    expect((await act(boardId, other, 'pin')).status).toBe(200)
    for (const { body } of removed) {
      await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId: body.logId } })
    }
    expect([await isPinned(boardId, first), await isPinned(boardId, second)]).toEqual([true, false])
  })
})

test('marks a spoiler, and shows its image nowhere without a cover', async () => {
  const boardId = await createBoard(site, 'Covered', admin)
  const { thread } = (await postThread(site, boardId, { image: await picture() })).body
  expect(thread.spoiler).toBe(false)
  await site.app.services.db.execute(sql`update post set spoiler = true where id = ${thread.id}`)
  expect((await readThread(site, boardId, thread.id)).body.thread).toMatchObject({ spoiler: true, image: thread.image })
  const get = async (path: string) => (await site.app.inject({ method: 'GET', url: path })).body
  expect((await readBoard(site, boardId)).threads[0]?.spoiler).toBe(true)
  expect((await get(`/dtpchan/board/${boardId}/page.en.json`)).includes('<div class=cover>')).toBe(true)
  for (const path of [
    `/dtpchan/board/${boardId}/feed.atom`,
    `/dtpchan/board/${boardId}/thread/${thread.id}/feed.atom`,
  ]) {
    const feed = await get(path)
    expect(feed).toContain(thread.image)
    expect(feed).not.toMatch(/&lt;img|<link rel="enclosure"/)
  }
})
