import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  type Fields,
  postComment,
  postThread,
  readThread,
  solveChallenge,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let boardId: string
let threadId: number
let tokens: Record<'admin' | 'moderator' | 'other' | 'member', string>
beforeAll(async () => {
  site = await startSite()
  const admin = await site.createToken('admin@example.org', 'admin')
  tokens = {
    admin,
    moderator: await site.createToken('moderator@example.org'),
    other: await site.createToken('other@example.org'),
    member: await site.createToken('member@example.org'),
  }
  boardId = await createBoard(site, 'Signed', admin)
  const elsewhere = await createBoard(site, 'Elsewhere', admin)
  await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
  await changeModerator(site.app.services, elsewhere, 'add', 'other@example.org')
  threadId = (await postThread(site, boardId)).body.thread.id
})
afterAll(() => site.close())

const sign = (fields: Fields, token?: string) => postComment(site, { boardId, threadId }, fields, token)
const posts = async () => (await readThread(site, boardId, threadId)).body.thread.comments

describe('a signature', () => {
  test.each([
    ['moderator', 'mod'],
    ['admin', 'mod'],
    ['admin', 'admin'],
  ] as const)('of the %s as %s is on the post, in lists and in the JSON of 4chan', async (who, capcode) => {
    const { status, body } = await sign({ capcode }, tokens[who])
    expect([status, body.comment?.capcode]).toEqual([200, capcode])
    expect((await posts()).find(({ id }: { id: number }) => id === body.comment.id).capcode).toBe(capcode)
    const json = (await site.app.inject({ method: 'GET', url: `/${boardId}/thread/${threadId}.json` })).json()
    expect(json.posts.at(-1)).toMatchObject({ no: body.comment.id, name: 'ferrite', capcode })
    const { post } = (await callApi(site, 'GET', `/api/dtpchan/posts/${body.comment.id}`)).body
    expect(post.capcode).toBe(capcode)
  })

  test('is on threads and replies too', async () => {
    const fields = { title: 'Rules', content: 'x', author: 'Ann', capcode: 'mod', ...(await solveChallenge(site)) }
    const made = await callApi(site, 'POST', `${BOARDS}/${boardId}/threads`, {
      form: toFormData(fields),
      token: tokens.moderator,
    })
    const { thread } = made.body
    expect(thread.capcode).toBe('mod')
    const at = { boardId, threadId: thread.id }
    const { comment } = (await postComment(site, at)).body
    const { reply } = (await postComment(site, { ...at, commentId: comment.id }, { capcode: 'admin' }, tokens.admin))
      .body
    const shown = (await readThread(site, boardId, thread.id)).body.thread
    expect([shown.capcode, shown.comments[0].capcode, shown.comments[0].replies[0].capcode]).toEqual([
      'mod',
      undefined,
      'admin',
    ])
    expect(reply.capcode).toBe('admin')
  })

  test.each([
    ['a moderator as admin', 'admin', 'moderator', 403],
    ['a moderator of another board', 'mod', 'other', 403],
    ['a member', 'mod', 'member', 403],
    ['nobody', 'mod', null, 401],
    ['nobody as admin', 'admin', null, 401],
  ] as const)('of %s is refused, and nothing is stored', async (_who, capcode, who, status) => {
    const before = await posts()
    const answer = await sign({ capcode }, who ? tokens[who] : undefined)
    expect(answer.status).toBe(status)
    expect(answer.body.success).toBe(false)
    expect(await posts()).toEqual(before)
  })

  test.each(['MOD', '', ' mod', 'manager', '## Mod', 'null', 'true', 'x'.repeat(100_000)])(
    '%s is no signature',
    async (capcode) => {
      const { status, body } = await sign({ capcode }, tokens.admin)
      expect([status, body.error]).toEqual([400, 'The signature must be mod or admin'])
    },
  )

  test('is the same if the request is sent again, and another one is another attempt', async () => {
    const challenge = await solveChallenge(site)
    const first = await sign({ capcode: 'mod', ...challenge }, tokens.admin)
    const again = await sign({ capcode: 'mod', ...challenge }, tokens.admin)
    expect(again.body).toEqual(first.body)
    expect((await sign({ capcode: 'admin', ...challenge }, tokens.admin)).status).toBe(400)
  })

  test('stays when its author no longer moderates, and goes when the author deletes the post', async () => {
    const { comment, deleteToken } = (await sign({ capcode: 'mod' }, tokens.moderator)).body
    await postComment(site, { boardId, threadId, commentId: comment.id })
    await changeModerator(site.app.services, boardId, 'remove', 'moderator@example.org')
    const shown = async () => (await posts()).find(({ id }: { id: number }) => id === comment.id)
    expect((await shown()).capcode).toBe('mod')
    expect((await sign({ capcode: 'mod' }, tokens.moderator)).status).toBe(403)
    const url = `${BOARDS}/${boardId}/threads/${threadId}/comments/${comment.id}`
    await callApi(site, 'DELETE', url, { json: { deleteToken } })
    expect(await shown()).toMatchObject({ deleted: true, author: '' })
    expect((await shown()).capcode).toBeUndefined()
  })

  test('cannot be typed as a name', async () => {
    for (const author of ['Bob ## Mod', 'Bob##Mod', 'Bob ＃＃ Mod', 'Bob # # Mod']) {
      const { comment } = (await sign({ author })).body
      expect(comment.author).toBe('Bob')
      expect(comment.tripcode).toMatch(/^!!/)
      expect(comment.capcode).toBeUndefined()
    }
    expect((await sign({ author: 'Bob ♯♯ Mod' })).status).toBe(400)
  })
})
