import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { board, event } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { moveThread } from '#server/features/board/write/moveThread.ts'
import { restoreBoardsOf } from '#src/contract/log.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  readThread,
  solveChallenge,
  solveQuestion,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

let site: TestSite
let admin: string
let threadId: number
let commentId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  for (const name of ['Old', 'New', 'Third']) await createBoard(site, name, admin)
})
afterAll(() => site.close())
beforeEach(async () => {
  threadId = (await postThread(site, 'old', { title: 'Travelling words', content: 'sesquipedalian' })).body.thread.id
  commentId = (await postComment(site, { boardId: 'old', threadId })).body.comment.id
})

const move = (boardId: string, toBoard: unknown, token = admin, postId = threadId) =>
  callApi(site, 'POST', '/api/moderation/act', { token, json: { boardId, postId, action: 'move', toBoard } })
const get = (url: string) => site.app.inject({ method: 'GET', url })
const locationOf = async (url: string) => {
  const { statusCode, headers } = await get(url)
  return [statusCode, headers.location]
}
/** Counts the statements of this site that wait. Other test files wait for locks on the same server. */
const countWaiting = async () => {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await site.app.services.db.execute(waiting)).length
}
const listed = async (boardId: string) =>
  (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads`)).body.threads.map(({ id }: { id: number }) => id)

describe('a moved thread', () => {
  test('is on the new board with its posts, and only there', async () => {
    await callApi(site, 'POST', '/api/moderation/act', {
      token: admin,
      json: { boardId: 'old', postId: threadId, action: 'pin' },
    })
    expect((await move('old', 'new')).body).toMatchObject({ count: 1 })
    const { thread } = (await readThread(site, 'new', threadId)).body
    expect(thread).toMatchObject({ boardId: 'new', pinned: false, commentCount: 1, comments: [{ id: commentId }] })
    expect([(await listed('old')).includes(threadId), (await listed('new')).includes(threadId)]).toEqual([false, true])
    const { threads } = (await callApi(site, 'GET', `${BOARDS}/new/catalog`)).body
    expect(threads.map(({ id }: { id: number }) => id)).toContain(threadId)
    expect((await get('/new/catalog.json')).body).toContain(`"no":${threadId}`)
    expect((await get('/old/catalog.json')).body).not.toContain(`"no":${threadId}`)
    expect((await get('/dtpchan/board/new/feed.atom')).body).toContain(`/new/thread/${threadId}`)
    const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
    expect(entries[0]).toMatchObject({ action: 'move', boardId: 'new', reason: '/old/ → /new/' })
  })

  test('is found on the new board by the search', async () => {
    await move('old', 'new')
    const find = async (board: string) =>
      (await callApi(site, 'GET', `/api/dtpchan/search?q=sesquipedalian&board=${board}&sort=date`)).body.hits.map(
        ({ threadId }: { threadId: number }) => threadId,
      )
    expect(await find('new')).toContain(threadId)
    expect(await find('old')).not.toContain(threadId)
  })

  test('redirects all its old URLs, also after the next move, and back without a loop', async () => {
    const { path } = { path: `thread/${threadId}` }
    await move('old', 'new')
    for (const rest of ['', '?page=1', '/feed.atom', '/feed.json', '/preview.jpg']) {
      expect(await locationOf(`/dtpchan/board/old/${path}${rest}`)).toEqual([301, `/dtpchan/board/new/${path}${rest}`])
    }
    expect(await locationOf(`/old/${path}.json`)).toEqual([301, `/new/${path}.json`])
    expect(await locationOf(`/old/res/${threadId}.json`)).toEqual([301, `/new/res/${threadId}.json`])
    expect(await locationOf(`${BOARDS}/old/threads/${threadId}`)).toEqual([301, `${BOARDS}/new/threads/${threadId}`])
    for (const page of [`/old/${path}`, `/old/${path}/travelling-words`, `/old/res/${threadId}.html`])
      expect(await locationOf(page)).toEqual([301, `/dtpchan/board/new/${path}`])
    expect(await locationOf(`/old/res/${commentId}.html`)).toEqual([301, `/dtpchan/board/new/${path}#p${commentId}`])
    const form = `/dtpchan/board/old/post?thread=${threadId}&comment=${commentId}`
    expect(await locationOf(form)).toEqual([301, form.replace('old', 'new')])
    const hostile = `/dtpchan/board/old/post?x=$&&thread=${threadId}`
    expect(await locationOf(hostile)).toEqual([301, hostile.replace('old', 'new')])
    expect((await get(`/old/${path}.json`)).headers['access-control-allow-origin']).toBe('*')
    for (const url of [`/old/${path}.json`, `${BOARDS}/old/threads/${threadId}`]) {
      const headers = { origin: 'https://reader.example', 'access-control-request-method': 'GET' }
      expect((await site.app.inject({ method: 'OPTIONS', url, headers })).statusCode).toBe(204)
    }
    expect((await locationOf(`/dtpchan/board/third/${path}`))[0]).not.toBe(301)
    await move('new', 'third')
    expect(await locationOf(`/old/${path}.json`)).toEqual([301, `/third/${path}.json`])
    expect(await locationOf(`/new/${path}.json`)).toEqual([301, `/third/${path}.json`])
    await move('third', 'old')
    expect((await get(`/old/${path}.json`)).statusCode).toBe(200)
    expect(await locationOf(`/third/${path}.json`)).toEqual([301, `/old/${path}.json`])
    expect((await get(`/old/${path}.json`)).headers['cache-control']).not.toContain('immutable')
  })

  test('takes a comment that was sent to its old URL, with the same form', async () => {
    await move('old', 'new')
    const old = `${BOARDS}/old/threads/${threadId}/comments`
    const { statusCode, headers } = await site.app.inject({ method: 'POST', url: old })
    expect([statusCode, headers.location]).toEqual([308, old.replace('old', 'new')])
    const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const form = toFormData({ content: 'A comment', author: 'ferrite', ...(await solveChallenge(site)) })
    // Node encodes a form again for the new URL, with another boundary than its header names. Browsers repeat the bytes.
    const body = await new Response(form).blob()
    const answer = await fetch(`${origin}${old}`, { method: 'POST', body })
    expect([answer.status, answer.redirected]).toEqual([200, true])
    expect((await readThread(site, 'new', threadId)).body.thread.commentCount).toBe(2)
  })

  test('takes reports and takedowns of its old URLs', async () => {
    await move('old', 'new')
    const old = `/dtpchan/board/old/thread/${threadId}`
    for (const url of [old, `${old}#p${commentId}`]) {
      const json = { url, reason: 'spam', ...(await solveChallenge(site)) }
      expect([url, (await callApi(site, 'POST', '/api/moderation/reports', { json })).status]).toEqual([url, 200])
    }
    const rows = await site.app.services.db.execute(sql`select board_id from report where item_id in
      (${String(threadId)}, ${String(commentId)})`)
    expect(rows.map((row) => row.board_id)).toEqual(['new', 'new'])
    const takeDown = (url: string) =>
      callApi(site, 'POST', '/api/moderation/takedowns', { token: admin, json: { url } })
    expect((await takeDown(old.replace('old', 'third'))).status).toBe(404)
    const removal = { boardId: 'new', postId: commentId, action: 'delete' }
    await callApi(site, 'POST', '/api/moderation/act', { token: admin, json: removal })
    expect((await takeDown(`${old}#p${commentId}`)).status).toBe(200)
    expect((await takeDown(old)).status).toBe(200)
  })

  test('answers a comment that is sent again after the move like the first time', async () => {
    const fields = { content: 'A lost answer', ...(await solveChallenge(site)) }
    const reply = { content: 'Another one', ...(await solveChallenge(site)) }
    const first = await postComment(site, { boardId: 'old', threadId }, fields)
    const firstReply = await postComment(site, { boardId: 'old', threadId, commentId }, reply)
    await move('old', 'new')
    const again = await postComment(site, { boardId: 'new', threadId }, fields)
    expect([again.status, again.body.comment?.id]).toEqual([200, first.body.comment.id])
    expect(again.body.deleteToken).toBe(first.body.deleteToken)
    const replyAgain = await postComment(site, { boardId: 'new', threadId, commentId }, reply)
    expect(replyAgain.body.reply?.id).toBe(firstReply.body.reply.id)
    expect((await readThread(site, 'new', threadId)).body.thread).toMatchObject({ commentCount: 2, replyCount: 1 })
  })

  test('keeps links from and to other threads right, and its images', async () => {
    const image = new File([await stillImage(40, 40).png().toBuffer()], 'x.png', { type: 'image/png' })
    const far = (await postThread(site, 'third', { content: `>>${commentId}` })).body.thread.id
    const answer = (await postComment(site, { boardId: 'old', threadId }, { content: `>>${far}`, image })).body.comment
    const { posts } = (await get(`/old/thread/${threadId}.json`)).json()
    const { tim, ext } = posts.at(-1)
    await move('old', 'new')
    const { thread } = (await readThread(site, 'third', far)).body
    expect(thread.quotes).toEqual([{ id: commentId, threadId, boardId: 'new' }])
    expect(thread.quotedBy).toEqual([{ id: answer.id, threadId, boardId: 'new' }])
    for (const url of [answer.image, `/new/${tim}${ext}`, `/old/${tim}${ext}`]) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 200])
    }
  })

  test('lets browsers that noted the old board delete a comment that waits for a review', async () => {
    const filter = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
    await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: filter })
    const { body } = await postComment(site, { boardId: 'old', threadId }, { content: 'doubtful' })
    await move('old', 'new')
    const ids = { boardId: 'old', threadId: String(threadId), commentId: String(body.comment.id) }
    const { statusCode } = await site.app.inject({
      method: 'POST',
      url: '/trpc/board.deleteComment',
      payload: { json: { ...ids, deleteToken: body.deleteToken } },
    })
    expect([body.held, statusCode]).toEqual([true, 200])
  })

  describe('by its old board, on an open page that does not know of the move', () => {
    const call = async (name: string, input: object) =>
      site.app.inject({ method: 'POST', url: `/trpc/board.${name}`, payload: { json: input } })
    const form = async (fields: object = {}) => ({
      ...{ boardId: 'old', threadId: String(threadId), content: 'From the old page', author: 'ferrite' },
      ...(await solveChallenge(site)),
      ...fields,
    })

    test('takes comments and replies, once', async () => {
      await move('old', 'new')
      const sent = await form()
      const answers = [await call('createComment', sent), await call('createComment', sent)]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      expect((await call('createReply', await form({ commentId: String(commentId) }))).statusCode).toBe(200)
      const { thread } = (await readThread(site, 'new', threadId)).body
      expect(thread).toMatchObject({ commentCount: 2, replyCount: 1 })
    })

    test('takes a comment that waits for the move to end', async () => {
      let posted: Promise<{ statusCode: number }> | undefined
      await site.app.services.db.transaction(async (tx) => {
        await moveThread(site.app.services, tx, { threadId, from: 'old', to: 'new' })
        posted = call('createComment', await form())
        await expect.poll(countWaiting).toBe(1)
      })
      expect((await posted)?.statusCode).toBe(200)
      expect((await readThread(site, 'new', threadId)).body.thread.commentCount).toBe(2)
    })

    test('refuses a visitor who is banned from the new board', async () => {
      const banned = createVisitor(site, '10.9.0.1')
      const { thread } = (await banned.postThread('new')).body
      const ban = { scope: 'board', width: 'host', endsAt: new Date(Date.now() + 3_600_000).toISOString() }
      const json = { boardId: 'new', postId: thread.id, width: 'host', reason: 'spam', deletePosts: false, ban }
      expect((await callApi(site, 'POST', '/api/moderation/poster/delete', { token: admin, json })).status).toBe(200)
      await move('old', 'new')
      const { challengeId, question } = (await banned.post('/api/dtpchan/captcha', {})).body
      const { statusCode } = await site.app.inject({
        ...{ method: 'POST', url: '/trpc/board.createComment', remoteAddress: '10.9.0.1' },
        payload: { json: await form({ challengeId, captchaAnswer: String(solveQuestion(question)) }) },
      })
      expect(statusCode).toBe(403)
    })

    test('reads it where it is, and lets moderators of its new board act on it', async () => {
      await move('old', 'new')
      const input = encodeURIComponent(JSON.stringify({ json: { boardId: 'old', threadId: String(threadId) } }))
      const shown = await get(`/trpc/board.shownThread?input=${input}`)
      expect(shown.json().result.data.json.thread).toMatchObject({ id: threadId, boardId: 'new' })
      const token = await site.createToken('only-old@example.org')
      await changeModerator(site.app.services, 'old', 'add', 'only-old@example.org')
      const lock = (bearer: string) =>
        callApi(site, 'POST', '/api/moderation/act', {
          token: bearer,
          json: { boardId: 'old', postId: threadId, action: 'lock' },
        })
      expect([(await lock(token)).status, (await lock(admin)).status]).toEqual([403, 200])
      const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
      expect(entries[0]).toMatchObject({ action: 'lock', boardId: 'new' })
    })
  })

  test('has posts that only moderators of its new board restore', async () => {
    const token = await site.createToken('restorer@example.org')
    await changeModerator(site.app.services, 'old', 'add', 'restorer@example.org')
    const json = { boardId: 'old', postId: commentId, action: 'delete' }
    const { logId } = (await callApi(site, 'POST', '/api/moderation/act', { token, json })).body
    await move('old', 'new')
    const restore = () => callApi(site, 'POST', '/api/moderation/restore', { token, json: { logId } })
    expect((await restore()).status).toBe(403)
    const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
    const entry = entries.find(({ id }: { id: number }) => id === logId)
    expect([entry.boardId, restoreBoardsOf(entry)]).toEqual(['old', ['new']])
    expect(restoreBoardsOf(entries.find(({ action }: { action: string }) => action === 'move'))).toEqual(['new'])
    await changeModerator(site.app.services, 'new', 'add', 'restorer@example.org')
    expect((await restore()).status).toBe(200)
    await changeModerator(site.app.services, 'new', 'remove', 'restorer@example.org')
  })

  test('leads pages that reconnect only to the board where it is', async () => {
    await move('old', 'new')
    await move('new', 'third')
    await move('third', 'old')
    const { topic, change } = event
    const stored = await site.app.services.db
      .select({ change })
      .from(event)
      .where(eq(topic, `thread:${threadId}`))
    const moves = stored.filter((row) => (row.change as { kind: string }).kind === 'thread-moved')
    expect(moves).toEqual([{ change: { kind: 'thread-moved', threadId, boardId: 'old' } }])
  })

  test('moves once if two moderators move it at the same time', async () => {
    const answers = await Promise.all([move('old', 'new'), move('old', 'third')])
    expect(answers.map(({ body }) => body.count ?? 0).sort()).toEqual([0, 1])
  })
})

test('a thread does not leave a board while the board is deleted', async () => {
  const left = await createBoard(site, 'Left', admin)
  const { id } = (await postThread(site, left)).body.thread
  let answer: ReturnType<typeof move> | undefined
  await site.app.services.db.transaction(async (tx) => {
    await tx.update(board).set({ deletedAt: new Date() }).where(eq(board.id, left))
    answer = move(left, 'new', admin, id)
    await expect.poll(countWaiting).toBe(1)
  })
  expect((await answer)?.status).toBe(404)
  expect(await listed('new')).not.toContain(id)
})

describe('moving is refused', () => {
  test.each([
    ['a moderator of the old board only', 'old'],
    ['a moderator of the new board only', 'new'],
  ])('to %s', async (_who, boardId) => {
    const token = await site.createToken(`${boardId}@example.org`)
    await changeModerator(site.app.services, boardId, 'add', `${boardId}@example.org`)
    expect((await move('old', 'new', token)).status).toBe(403)
    expect((await readThread(site, 'old', threadId)).status).toBe(200)
    await changeModerator(site.app.services, boardId === 'old' ? 'new' : 'old', 'add', `${boardId}@example.org`)
    expect((await move('old', 'new', token)).status).toBe(200)
  })

  test.each([undefined, '', 'nowhere', 'NEW', '../old', 'a'.repeat(5000), 7])('to the board %j', async (to) => {
    expect((await move('old', to)).status).toBe(404)
  })

  test('for a comment, and does nothing on the same board', async () => {
    expect((await move('old', 'new', admin, commentId)).status).toBe(400)
    expect((await move('old', 'old')).body).toMatchObject({ count: 0, logId: null })
  })
})
