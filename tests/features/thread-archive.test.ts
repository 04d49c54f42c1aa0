import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { board, thread } from '#db/schema/index.ts'
import { createContext } from '#server/core/context.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { archiveThreads } from '#server/features/board/write/threadArchive.ts'
import { createCaller } from '#server/router.ts'
import type { ArchivedThread, ThreadView } from '#src/contract/thread.ts'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

const archive = () => archiveThreads(site.app.services, new AbortController().signal)
const api = () => createCaller(createContext(site.app.services, { ip: '127.0.0.1', headers: {} }, true))
const setLimit = (boardId: string, threadLimit: number) =>
  site.app.services.db.update(board).set({ threadLimit }).where(eq(board.id, boardId))
const listed = async (boardId: string): Promise<number[]> =>
  (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads`)).body.threads.map(({ id }: ThreadView) => id)
const readArchive = (boardId: string, cursor?: string) =>
  callApi(site, 'GET', `${BOARDS}/${boardId}/archive${cursor === undefined ? '' : `?cursor=${cursor}`}`)
const archived = async (boardId: string): Promise<number[]> =>
  (await readArchive(boardId)).body.threads.map(({ id }: ArchivedThread) => id)

/** Adds threads without comments and returns their ids, the most recently active first. */
async function addThreads(boardId: string, count: number): Promise<number[]> {
  const rows = await site.app.services.db.execute<{ id: string }>(sql`
    with opened as (
      insert into thread (id, board_id, title, last_activity)
      select nextval('post_number'), ${boardId}, n, now() - n * interval '1 minute'
      from generate_series(1, ${count}::int) n returning id, title, last_activity),
    posted as (
      insert into post (id, thread_id, author, content, created_at) select id, id, 'me', 'text', last_activity from opened)
    select id from opened order by title::int`)
  return rows.map(({ id }) => Number(id))
}

describe('a board with a limit', () => {
  test('keeps the most recently active threads and moves the others to the archive', async () => {
    const boardId = await createBoard(site, 'Limited', admin)
    const ids = await addThreads(boardId, 6)
    await postComment(site, { boardId, threadId: ids[5] as number })
    await archive()
    expect(await listed(boardId)).toHaveLength(6)

    await setLimit(boardId, 3)
    await archive()
    expect(await listed(boardId)).toEqual([ids[5], ids[0], ids[1]])
    expect(await archived(boardId)).toEqual([ids[2], ids[3], ids[4]])
    expect((await api().board.overview()).boards.find(({ id }) => id === boardId)?.threads).toBe(3)

    const created = (await postThread(site, boardId)).body.thread.id
    await archive()
    expect(await listed(boardId)).toEqual([created, ids[5], ids[0]])
    // A higher limit brings no thread back.
    await setLimit(boardId, 0)
    await archive()
    expect(await listed(boardId)).toHaveLength(3)
  })

  test('counts pinned threads, but never archives them or the newest thread', async () => {
    const boardId = await createBoard(site, 'Pins', admin)
    const ids = await addThreads(boardId, 6)
    await site.app.services.db.update(thread).set({ pinned: true }).where(sql`${thread.id} in (${ids[4]}, ${ids[5]})`)
    await setLimit(boardId, 3)
    await archive()
    expect(await listed(boardId)).toEqual([ids[4], ids[5], ids[0]])
    await setLimit(boardId, 1)
    await archive()
    expect(await listed(boardId)).toEqual([ids[4], ids[5], ids[0]])
  })

  test('archives many threads in batches, also if two processes do it at once', async () => {
    const boardId = await createBoard(site, 'Many', admin)
    const ids = await addThreads(boardId, 250)
    await setLimit(boardId, 5)
    await Promise.all([archive(), archive()])
    expect(await listed(boardId)).toEqual(ids.slice(0, 5))

    const pages: number[][] = []
    let cursor: string | undefined
    do {
      const { body } = await readArchive(boardId, cursor)
      pages.push(body.threads.map(({ id }: ArchivedThread) => id))
      cursor = body.nextCursor ?? undefined
    } while (cursor)
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 45])
    expect(pages.flat()).toEqual(ids.slice(5))
  })

  test('keeps a thread that somebody bumps at the same time', async () => {
    const boardId = await createBoard(site, 'Race', admin)
    const ids = await addThreads(boardId, 20)
    await setLimit(boardId, 10)
    const bumped = ids.slice(10)
    const [, ...answers] = await Promise.all([
      archive(),
      ...bumped.map((threadId) => postComment(site, { boardId, threadId })),
    ])
    const { threads } = await api().board.archive({ boardId })
    // Each comment is either refused, or its thread is still listed unless newer comments pushed it out.
    for (const [at, { status }] of answers.entries()) {
      const counted = threads.find(({ id }) => id === bumped[at])?.commentCount
      expect([status, counted]).toEqual(status === 403 ? [403, 0] : [200, counted === undefined ? undefined : 1])
    }
    await archive()
    expect(await listed(boardId)).toHaveLength(10)
  })
})

describe('threads that spam pushed into the archive', () => {
  let boardId: string
  let good: number[]
  let spam: number[]
  beforeEach(async () => {
    boardId = await createBoard(site, `Pushed ${Math.random()}`, admin)
    await setLimit(boardId, 3)
    good = await openThreads('good')
    await archive()
    spam = await openThreads('spam')
    await archive()
    expect([await listed(boardId), await archived(boardId)]).toEqual([spam, good])
  })

  /** Opens three threads. Returns their ids, the newest first. */
  async function openThreads(title: string): Promise<number[]> {
    const ids: number[] = []
    for (let number = 0; number < 3; number++) ids.unshift((await postThread(site, boardId, { title })).body.thread.id)
    return ids
  }
  const act = (postId: number, action: string) =>
    callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action } })

  test('are back as the spam is removed, as many as there is room for', async () => {
    const [first, ...others] = spam as [number, ...number[]]
    await act(first, 'delete')
    expect([await listed(boardId), await archived(boardId)]).toEqual([[...others, good[0]], good.slice(1)])
    for (const id of others) await act(id, 'delete')
    await archive()
    expect([await listed(boardId), await archived(boardId)]).toEqual([good, []])
    expect((await readThread(site, boardId, good[2] as number)).body.thread.archived).toBe(false)
    expect((await postComment(site, { boardId, threadId: good[2] as number })).status).toBe(200)
  })

  test('are back as the spam is moved to another board', async () => {
    const toBoard = await createBoard(site, `Rubbish ${Math.random()}`, admin)
    for (const postId of spam) {
      const json = { boardId, postId, action: 'move', toBoard }
      await callApi(site, 'POST', '/api/moderation/act', { token: admin, json })
    }
    expect([await listed(boardId), await archived(boardId), await listed(toBoard)]).toEqual([good, [], spam])
  })

  test('stay in the archive when an archived thread, which takes no room, is moved away', async () => {
    await setLimit(boardId, 5)
    const toBoard = await createBoard(site, `Shelf ${Math.random()}`, admin)
    const json = { boardId, postId: good[2], action: 'move', toBoard }
    await callApi(site, 'POST', '/api/moderation/act', { token: admin, json })
    expect([await archived(boardId), await archived(toBoard)]).toEqual([good.slice(0, 2), [good[2]]])
  })

  test('stay in the archive when an archived thread is deleted', async () => {
    await setLimit(boardId, 5)
    await act(good[2] as number, 'delete')
    expect([await listed(boardId), await archived(boardId)]).toEqual([spam, good.slice(0, 2)])
  })

  test('are back as all spam is removed at once, also that which later spam archived', async () => {
    const more = await openThreads('more spam')
    await archive()
    expect(await archived(boardId)).toEqual([...spam, ...good])
    const { services } = site.app
    await services.db.transaction((tx) => changeState(services, tx, [...spam, ...more], 'removed'))
    expect([await listed(boardId), await archived(boardId)]).toEqual([good, []])
  })

  test('stay in the archive if the spam was there before them', async () => {
    await site.app.services.db
      .update(thread)
      .set({ archivedAt: new Date(Date.now() - 86_400_000) })
      .where(eq(thread.boardId, boardId))
    for (const id of spam) await act(id, 'delete')
    expect([await listed(boardId), await archived(boardId)]).toEqual([[], good])
  })

  test('come back as the most recently active if an admin takes them out', async () => {
    const id = good[2] as number
    expect((await act(id, 'unarchive')).body).toMatchObject({ count: 1 })
    expect(await listed(boardId)).toEqual([id, ...spam])
    await archive()
    expect([await listed(boardId), await archived(boardId)]).toEqual([
      [id, ...spam.slice(0, 2)],
      [spam[2], ...good.slice(0, 2)],
    ])
    expect((await postComment(site, { boardId, threadId: id })).status).toBe(200)
    // It is in the log, and doing it twice changes nothing.
    const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
    expect(entries[0]).toMatchObject({ action: 'unarchive', role: 'admin', boardId })
    expect((await act(id, 'unarchive')).body).toMatchObject({ count: 0 })
  })
})

test('keeps a thread that an admin took out of the archive if one of its posts is removed', async () => {
  const boardId = await createBoard(site, 'Full', admin)
  const [old, newest] = (await addThreads(boardId, 2)).reverse() as [number, number]
  const commentId = (await postComment(site, { boardId, threadId: old })).body.comment.id
  const act = (postId: number, action: string) =>
    callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action } })
  await postComment(site, { boardId, threadId: newest })
  await setLimit(boardId, 1)
  await archive()
  expect([await listed(boardId), await archived(boardId)]).toEqual([[newest], [old]])

  await act(old, 'unarchive')
  await act(commentId, 'delete')
  await archive()
  expect([await listed(boardId), await archived(boardId)]).toEqual([[old], [newest]])
  // The removal of a later post takes its bump back.
  await setLimit(boardId, 2)
  await act(newest, 'unarchive')
  const later = (await postComment(site, { boardId, threadId: old })).body.comment.id
  expect(await listed(boardId)).toEqual([old, newest])
  await act(later, 'delete')
  expect(await listed(boardId)).toEqual([newest, old])
})

describe('an archived thread', () => {
  let boardId: string
  let at: { boardId: string; threadId: number; commentId: number }
  beforeAll(async () => {
    boardId = await createBoard(site, 'Old', admin)
    const threadId = (await postThread(site, boardId, { title: 'An old thread' })).body.thread.id
    const commentId = (await postComment(site, { boardId, threadId })).body.comment.id
    at = { boardId, threadId, commentId }
    await postThread(site, boardId)
    await setLimit(boardId, 1)
    await site.app.inject(`/dtpchan/board/${boardId}/page.en.json`)
    await archive()
  })

  test('is still served at its URL and in its feed, and says that it is archived', async () => {
    const { thread } = (await readThread(site, boardId, at.threadId)).body
    expect(thread).toMatchObject({ title: 'An old thread', archived: true, comments: [{ id: at.commentId }] })
    const feed = await site.app.inject(`/dtpchan/board/${boardId}/thread/${at.threadId}/feed.atom`)
    expect(feed.statusCode).toBe(200)
    const map = await site.app.inject('/sitemap-threads-1.xml')
    expect(map.body).toContain(`/dtpchan/board/${boardId}/thread/${at.threadId}<`)
  })

  test('is gone from the board, its feed, its cached data and the threads of all boards', async () => {
    expect((await site.app.inject(`/dtpchan/board/${boardId}/page.en.json`)).body).not.toContain('An old thread')
    expect((await site.app.inject(`/dtpchan/board/${boardId}/feed.atom`)).body).not.toContain('An old thread')
    expect((await site.app.inject(`/dtpchan/board/${boardId}/catalog.en.json`)).body).not.toContain('An old thread')
    expect((await api().board.all({})).threads.map(({ id }) => id)).not.toContain(at.threadId)
    expect((await api().board.latest({ count: 20 })).map(({ id }) => id)).not.toContain(at.threadId)
  })

  test('refuses posts of everybody', async () => {
    const { threadId, commentId } = at
    const image = new File([await stillImage(60, 40).png().toBuffer()], 'x.png', { type: 'image/png' })
    const answers = [
      await postComment(site, { boardId, threadId }),
      await postComment(site, at),
      await postComment(site, { boardId, threadId }, { content: `>>${commentId}` }),
      await postComment(site, { boardId, threadId }, { image }),
      await postComment(site, { boardId, threadId }, {}, admin),
    ]
    for (const { status, body } of answers) {
      expect({ status, ...body }).toEqual({ status: 403, success: false, error: 'This thread is archived' })
    }
  })

  test('can be moderated, but not pinned or locked', async () => {
    const act = (action: string, postId = at.threadId) =>
      callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action } })
    for (const action of ['pin', 'unpin', 'lock', 'unlock']) {
      expect(await act(action)).toMatchObject({ status: 409, body: { error: 'This thread is archived' } })
    }
    const { logId } = (await act('delete')).body
    expect((await readThread(site, boardId, at.threadId)).status).toBe(404)
    expect(await archived(boardId)).toEqual([])
    await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
    expect(await archived(boardId)).toEqual([at.threadId])
    expect(await listed(boardId)).not.toContain(at.threadId)
  })
})

test('tells open threads and boards that a thread is archived', async () => {
  const boardId = await createBoard(site, 'Open', admin)
  const ids = await addThreads(boardId, 2)
  await setLimit(boardId, 1)
  const { lastEventId } = await api().board.shownBoard({ boardId })
  const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const [onThread, onBoard] = await Promise.all([
    openEventConnection(origin, [`thread:${Number(ids[1])}`], lastEventId),
    openEventConnection(origin, [`board:${boardId}`], lastEventId),
  ])
  await archive()
  expect((await onThread.next()).event.post).toMatchObject({ archived: true, view: { id: ids[1] } })
  expect((await onBoard.next()).event.change).toEqual({ kind: 'thread-gone', threadId: ids[1] })
  onThread.close()
  onBoard.close()
})
