import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { appRouter } from '#server/router.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  solveChallenge,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const ROLES = ['guest', 'member', 'otherModerator', 'moderator', 'admin'] as const
type Who = (typeof ROLES)[number]

let site: TestSite
let tokens: Record<Who, string | undefined>
let boardId: string

beforeAll(async () => {
  site = await startSite()
  tokens = {
    guest: undefined,
    member: await site.createToken('member@example.org'),
    otherModerator: await site.createToken('elsewhere@example.org'),
    moderator: await site.createToken('moderator@example.org'),
    admin: await site.createToken('admin@example.org', 'admin'),
  }
  boardId = await createBoard(site, 'Here', tokens.admin ?? '')
  await createBoard(site, 'Elsewhere', tokens.otherModerator ?? '')
  await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
})
afterAll(() => site.close())

/** Creates a thread, a comment and a reply for each check, because earlier checks can delete them. */
async function stage() {
  const thread = (await postThread(site, boardId)).body.thread.id as number
  const comment = (await postComment(site, { boardId, threadId: thread })).body.comment.id as number
  const reply = (await postComment(site, { boardId, threadId: thread, commentId: comment })).body.reply.id as number
  const threads = `${BOARDS}/${boardId}/threads`
  return { threads, thread: `${threads}/${thread}`, comment: `${threads}/${thread}/comments/${comment}`, reply }
}
type Stage = Awaited<ReturnType<typeof stage>>

const post = (token: string | undefined, url: string, fields: Record<string, string> = {}) =>
  solveChallenge(site).then((captcha) =>
    callApi(site, 'POST', url, { token, form: toFormData({ content: 'text', author: 'me', ...fields, ...captcha }) }),
  )
const get = (token: string | undefined, url: string) => callApi(site, 'GET', url, { token })
const remove = (token: string | undefined, url: string) => callApi(site, 'DELETE', url, { token })

const ALL = { guest: 200, member: 200, otherModerator: 200, moderator: 200, admin: 200 }
const MEMBERS = { ...ALL, guest: 401 }
const MODERATORS = { guest: 401, member: 403, otherModerator: 403, moderator: 200, admin: 200 }
const ADMINS = { ...MODERATORS, moderator: 403 }

const CALLS: [string, Record<Who, number>, (token: string | undefined, at: Stage) => ReturnType<typeof callApi>][] = [
  ['list boards', ALL, (token) => get(token, BOARDS)],
  ['list threads', ALL, (token, at) => get(token, at.threads)],
  ['read a thread', ALL, (token, at) => get(token, at.thread)],
  ['ask for a captcha', ALL, (token) => callApi(site, 'POST', '/api/dtpchan/captcha', { token, raw: '' })],
  ['open a thread', ALL, (token, at) => post(token, at.threads, { title: 'A title' })],
  ['comment', ALL, (token, at) => post(token, `${at.thread}/comments`)],
  ['reply', ALL, (token, at) => post(token, `${at.comment}/replies`)],
  [
    'create a board',
    MEMBERS,
    (token) => callApi(site, 'POST', BOARDS, { token, json: { name: 'New', description: 'board' } }),
  ],
  ['delete a reply', MODERATORS, (token, at) => remove(token, `${at.comment}/replies/${at.reply}`)],
  ['delete a comment', MODERATORS, (token, at) => remove(token, at.comment)],
  ['delete a thread', MODERATORS, (token, at) => remove(token, at.thread)],
  [
    'delete a board',
    ADMINS,
    async (token) => remove(token, `${BOARDS}/${await createBoard(site, 'Doomed', tokens.moderator ?? '')}`),
  ],
]

describe.each(CALLS)('%s', (_name, expected, run) => {
  test.each(ROLES)('%s', async (who) => {
    const at = await stage()
    const { status, body } = await run(tokens[who], at)
    expect({ status, success: body.success }).toEqual({ status: expected[who], success: expected[who] === 200 })
    if (status === 401 || status === 403) expect((await get(undefined, at.thread)).body.thread.replyCount).toBe(1)
  })
})

test('makes the creator of a board its first moderator, who can be removed', async () => {
  const token = await site.createToken('maker@example.org')
  const mine = await createBoard(site, 'Mine', token)
  const first = (await postThread(site, mine)).body.thread.id
  const second = (await postThread(site, mine)).body.thread.id
  expect((await remove(token, `${BOARDS}/${mine}/threads/${first}`)).status).toBe(200)
  await changeModerator(site.app.services, mine, 'remove', 'maker@example.org')
  expect((await remove(token, `${BOARDS}/${mine}/threads/${second}`)).status).toBe(403)
})

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>

/** Returns the calls of the typed router that a user may make, apart from their input. */
async function allowedCalls(email: string): Promise<string[]> {
  const allowed: string[] = []
  for (const [name, { _def }] of Object.entries(procedures)) {
    const [method, input] = _def.type === 'query' ? (['GET', {}] as const) : (['POST', { json: {} }] as const)
    // Each call has its own session, because one of them ends it.
    const token = await site.createToken(email)
    if ((await callApi(site, method, `/trpc/${name}`, { token, ...input })).status !== 403) allowed.push(name)
  }
  return allowed
}

test('refuses the calls of moderators to members, before it reads their input', async () => {
  // The other members of this file have created boards, which they moderate.
  const members = await allowedCalls('newcomer@example.org')
  const moderators = await allowedCalls('moderator@example.org')
  expect(moderators.filter((name) => !members.includes(name)).sort()).toEqual([
    'auth.moderation',
    ...['key', 'subscribe', 'unsubscribe'].map((name) => `moderation.alerts.${name}`),
    ...['approve', 'image', 'list', 'refuse', 'refuseAll'].map((name) => `moderation.held.${name}`),
    'moderation.queue',
  ])
  expect(moderators.filter((name) => /^site\.(operations|settings|switches)|^auth\.users/.test(name))).toEqual([])
})
