import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  type Fields,
  postComment,
  postThread,
  readBoard,
  solveChallenge,
} from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Options', admin)
  threadId = (await postThread(site, boardId)).body.thread.id
})
afterAll(() => site.close())

const change = (fields: object, token = admin) =>
  callApi(site, 'PUT', `${BOARDS}/${boardId}`, {
    token,
    json: { name: 'Options', description: 'x', rules: '', ...fields },
  })
const comment = (fields: Fields) => postComment(site, { boardId, threadId }, fields)

describe('a default name', () => {
  test('is off at first: a post needs a name, and its captcha stays', async () => {
    const challenge = await solveChallenge(site)
    const { status, body } = await comment({ author: ' ', ...challenge })
    expect([status, body.error]).toEqual([400, 'Username is required (minimum 2 characters)'])
    expect((await comment({ author: 'Ann', ...challenge })).status).toBe(200)
  })

  test('is given to threads, comments and replies without a name', async () => {
    expect((await change({ defaultName: ' Nameless ' })).status).toBe(200)
    const { boards } = (await callApi(site, 'GET', BOARDS)).body
    expect(boards[0].defaultName).toBe('Nameless')
    const { thread } = (await postThread(site, boardId, { author: '' })).body
    expect(thread.author).toBe('Nameless')
    const first = (await comment({ author: '  ' })).body.comment
    const { reply } = (await postComment(site, { boardId, threadId, commentId: first.id }, { author: '' })).body
    expect([first.author, reply.author]).toEqual(['Nameless', 'Nameless'])
    const secret = (await comment({ author: '#secret' })).body.comment
    expect(secret).toMatchObject({ author: 'Nameless', tripcode: expect.stringMatching(/^!!.{11}$/) })
  })

  test('leaves typed names as they are, with at least two characters', async () => {
    expect((await comment({ author: 'Ann' })).body.comment.author).toBe('Ann')
    for (const author of ['x', 'x#secret', '\u200b', '\n']) {
      const { status, body } = await comment({ author })
      expect([author, status === 400 || body.comment?.author === 'Nameless']).toEqual([author, true])
    }
  })

  test('is of one board only, and ends with the setting', async () => {
    const other = await createBoard(site, 'Named', admin)
    expect((await postThread(site, other, { author: '' })).status).toBe(400)
    expect((await postThread(site, 'nowhere', { author: '' })).status).toBe(400)
    await change({ defaultName: '' })
    expect((await comment({ author: '' })).status).toBe(400)
  })

  test('counts once if the request is sent again', async () => {
    await change({ defaultName: 'Nameless' })
    const challenge = await solveChallenge(site)
    const answers = [await comment({ author: '', ...challenge }), await comment({ author: '', ...challenge })]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
  })

  test.each(['x'.repeat(65), 'a\nb', 'a\0', 'Bob ## Mod', '♯♯ Mod', '!ozOtJW9BFA', 'a!!b', 7, null])(
    'cannot be %j',
    async (defaultName) => {
      const { status, body } = await change({ defaultName })
      expect([status, body.error]).toEqual([400, t('admin.defaultNameRefusal')])
    },
  )
})

describe('the newest comments on the page of a board', () => {
  const listed = async () => {
    const { threads } = await readBoard(site, boardId)
    const { newest, earlier } = threads.find(({ id }) => id === threadId) ?? {}
    return [...(earlier ?? []), ...(newest ? [newest] : [])].map(({ preview }) => preview)
  }

  test('are one, or as many as the board sets, oldest first', async () => {
    for (const content of ['one', 'two', 'three', 'x'.repeat(200)]) await comment({ content, author: 'Ann' })
    const long = `${'x'.repeat(100)}…`
    expect(await listed()).toEqual([long])
    await change({ latestReplies: 3 })
    expect(await listed()).toEqual(['two', 'three', long])
    await change({ latestReplies: 0 })
    expect(await listed()).toEqual([])
    await change({ latestReplies: 5 })
    expect(await listed()).toHaveLength(5)
    await change({})
    expect(await listed()).toHaveLength(5)
  })

  test.each([-1, 6, 1.5, '3', null])('cannot be %j', async (latestReplies) => {
    const { status, body } = await change({ latestReplies })
    expect([status, body.error]).toEqual([400, t('admin.latestRepliesRefusal')])
  })

  test('and names are set by admins only', async () => {
    const token = await site.createToken('member@example.org')
    expect((await change({ latestReplies: 2, defaultName: 'Ann' }, token)).status).toBe(403)
  })
})
