import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { post as posts, thread as threads } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { POST_ACTIONS } from '#src/contract/moderation.ts'
import { type ApiResponse, BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { someOf } from '#tests/helpers/depth.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createPng } from '#tests/helpers/visitor.ts'

const ROLES = ['visitor', 'author', 'member', 'otherModerator', 'moderator', 'admin'] as const
type Role = (typeof ROLES)[number]

let site: TestSite
let tokens: Record<Role, string | undefined>
let boardId: string
/** where moderators of `boardId` move threads */
let toBoard: string
let picture: File

beforeAll(async () => {
  site = await startSite()
  tokens = {
    visitor: undefined,
    author: undefined,
    member: await site.createToken('member@example.org'),
    otherModerator: await site.createToken('elsewhere@example.org'),
    moderator: await site.createToken('moderator@example.org'),
    admin: await site.createToken('admin@example.org', 'admin'),
  }
  boardId = await createBoard(site, 'Here', tokens.admin ?? '')
  await createBoard(site, 'Elsewhere', tokens.otherModerator ?? '')
  toBoard = await createBoard(site, 'There', tokens.admin ?? '')
  for (const board of [boardId, toBoard]) {
    await changeModerator(site.app.services, board, 'add', 'moderator@example.org')
  }
  picture = await createPng()
})
afterAll(() => site.close())

/** Posts a thread, a comment and a reply for one check. */
async function stage(image?: File) {
  const thread = (await postThread(site, boardId, { image })).body
  const at = { boardId, threadId: thread.thread.id as number }
  const comment = (await postComment(site, at)).body
  const reply = (await postComment(site, { ...at, commentId: comment.comment.id })).body
  return {
    thread: { id: thread.thread.id as number, deleteToken: thread.deleteToken as string },
    comment: { id: comment.comment.id as number, deleteToken: comment.deleteToken as string },
    reply: { id: reply.reply.id as number, deleteToken: reply.deleteToken as string },
  }
}
type Stage = Awaited<ReturnType<typeof stage>>

const archive = (threadId: number) =>
  site.app.services.db.update(threads).set({ archivedAt: new Date() }).where(eq(threads.id, threadId))
type Kind = keyof Stage

const urlOf = (at: Stage, kind: Kind) => {
  const thread = `${BOARDS}/${boardId}/threads/${at.thread.id}`
  if (kind === 'thread') return thread
  const comment = `${thread}/comments/${at.comment.id}`
  return kind === 'comment' ? comment : `${comment}/replies/${at.reply.id}`
}

type Ways = Record<string, (path: string, json: object, token: string | undefined) => Promise<ApiResponse>>
/** Each procedure is called over REST, and in a deep run over tRPC too: the routes are derived from the procedures. */
const WAYS: Ways = {
  REST: (path, json, token) => callApi(site, 'POST', `/api/moderation/${path}`, { token, json }),
  tRPC: (path, json, token) => {
    const procedure = { act: 'act', 'poster/delete': 'removePoster', restore: 'restore' }[path]
    return callApi(site, 'POST', `/trpc/moderation.${procedure}`, { token, json: { json } })
  },
}

/** Counts log entries of this role, to prove that each action and no refusal is logged. */
async function countLogged(): Promise<Record<string, number>> {
  const rows = await site.app.services.db.execute<{ role: string; count: number }>(
    sql`select role, count(*)::int as count from moderation_log group by role`,
  )
  return Object.fromEntries(rows.map(({ role, count }) => [role, count]))
}

const LOGGED_AS: Partial<Record<Role, string>> = { author: 'author', moderator: 'moderator', admin: 'admin' }

async function expectStatus(role: Role, status: number, run: () => Promise<ApiResponse>): Promise<void> {
  const before = await countLogged()
  const response = await run()
  expect([role, response.status]).toEqual([role, status])
  const after = await countLogged()
  const name = LOGGED_AS[role]
  expect(after).toEqual(status === 200 && name ? { ...before, [name]: (before[name] ?? 0) + 1 } : before)
}

const MODERATORS: Record<Role, number> = {
  visitor: 401,
  author: 401,
  member: 403,
  otherModerator: 403,
  moderator: 200,
  admin: 200,
}
/** A deletion and a ban in one call, each with its own scope and width. */
const COMBINATIONS = (['board', 'site'] as const).flatMap((scope) =>
  (['board', 'site'] as const).flatMap((banScope) =>
    (['host', 'range'] as const).map((width) => ({
      scope,
      width,
      ban: { scope: banScope, width: width === 'host' ? 'range' : 'host' },
    })),
  ),
)
const ADMINS = { ...MODERATORS, moderator: 403 }

describe.each(['thread', 'comment', 'reply'] as const)('DELETE of a %s', (kind) => {
  test.each(ROLES)('%s', async (role) => {
    const at = await stage()
    const query = role === 'author' ? `?deleteToken=${at[kind].deleteToken}` : ''
    const expected = role === 'author' ? 200 : MODERATORS[role]
    await expectStatus(role, expected, () =>
      callApi(site, 'DELETE', `${urlOf(at, kind)}${query}`, { token: tokens[role] }),
    )
  })
})

describe.each(someOf(Object.keys(WAYS)))('%s', (way) => {
  const call: Ways[string] = (...args) => (WAYS[way] as Ways[string])(...args)

  describe.each(POST_ACTIONS)('act: %s', (action) => {
    test.each(ROLES)('%s', async (role) => {
      const { thread } = await stage(/image|spoiler/.test(action) ? picture : undefined)
      const id = thread.id
      const act = (name: string, token = tokens.admin) =>
        call('act', { boardId, postId: thread.id, action: name }, token)
      // The opposite of the action must not be the thread's state already.
      if (/^un(?!archive)/.test(action)) await act(action.slice(2))
      if (action === 'remove-note')
        await site.app.services.db.update(posts).set({ note: 'Banned' }).where(eq(posts.id, id))
      if (action === 'unarchive') await archive(thread.id)
      await expectStatus(role, (action === 'unarchive' ? ADMINS : MODERATORS)[role], () =>
        call('act', { boardId, postId: id, action, toBoard, deleteToken: thread.deleteToken }, tokens[role]),
      )
    })
  })

  describe.each([
    ['board', MODERATORS],
    ['site', ADMINS],
  ])('removePoster on the %s', (scope, expected) => {
    test.each(ROLES)('%s', async (role) => {
      const { comment } = await stage()
      await expectStatus(role, expected[role], () =>
        call('poster/delete', { boardId, postId: comment.id, scope }, tokens[role]),
      )
    })
  })

  describe('restore', () => {
    test.each(ROLES)('%s', async (role) => {
      const { comment } = await stage()
      const removed = await WAYS.REST?.('act', { boardId, postId: comment.id, action: 'delete' }, tokens.moderator)
      await expectStatus(role, MODERATORS[role], () => call('restore', { logId: removed?.body.logId }, tokens[role]))
    })
  })

  test.each([
    ['board', MODERATORS],
    ['site', ADMINS],
  ])('bans from the %s through removePoster', async (scope, expected) => {
    const { comment } = await stage()
    const ban = { endsAt: new Date(Date.now() + 60_000).toISOString(), scope }
    for (const role of ROLES) {
      const json = { boardId, postId: comment.id, deletePosts: false, reason: 'spam', ban }
      await expectStatus(role, expected[role], () => call('poster/delete', json, tokens[role]))
    }
    await site.app.services.db.execute(sql`delete from ban`)
    site.app.services.cache.clear()
  })

  test.each(someOf(COMBINATIONS))(
    'deletes on the $scope by $width, and bans from the $ban.scope by $ban.width',
    async (json) => {
      const expected = [json.scope, json.ban.scope].includes('site') ? ADMINS : MODERATORS
      for (const role of ROLES) {
        const { comment } = await stage()
        const terms = { ...json.ban, endsAt: new Date(Date.now() + 60_000).toISOString() }
        const body = { ...json, boardId, postId: comment.id, reason: 'spam', ban: terms }
        const { status } = await call('poster/delete', body, tokens[role])
        expect([role, status]).toEqual([role, expected[role]])
        const bans = await site.app.services.db.execute(sql`delete from ban returning width, board_id`)
        const boardOfBan = json.ban.scope === 'site' ? null : boardId
        expect(bans).toEqual(status === 200 ? [{ width: json.ban.width, board_id: boardOfBan }] : [])
        site.app.services.cache.clear()
      }
    },
  )

  test('leaves the restoring of a removal on the whole site to admins', async () => {
    const { comment } = await stage()
    const removed = await WAYS.REST?.('poster/delete', { boardId, postId: comment.id, scope: 'site' }, tokens.admin)
    const restore = (role: Role) => call('restore', { logId: removed?.body.logId }, tokens[role])
    await expectStatus('moderator', 403, () => restore('moderator'))
    await expectStatus('admin', 200, () => restore('admin'))
  })
})

test.each([
  ['board', MODERATORS],
  ['site', ADMINS],
])('shows the poster on the %s to moderators', async (scope, expected) => {
  const { thread } = await stage()
  const url = `/api/moderation/poster?boardId=${boardId}&postId=${thread.id}&scope=${scope}`
  const input = encodeURIComponent(JSON.stringify({ json: { boardId, postId: thread.id, scope } }))
  for (const role of ROLES) {
    const token = tokens[role]
    const statuses = [url, `/trpc/moderation.poster?input=${input}`].map((one) => callApi(site, 'GET', one, { token }))
    for (const { status } of await Promise.all(statuses)) expect([role, status]).toEqual([role, expected[role]])
  }
})

test('tells nobody but moderators that a post waits or was removed', async () => {
  const { db } = site.app.services
  const state = async (id: number, value: 'held' | 'removed') =>
    db.update(posts).set({ state: value, stateAt: new Date() }).where(eq(posts.id, id))
  const { thread, comment, reply } = await stage()
  await state(comment.id, 'held')
  await state(reply.id, 'removed')
  const ask = async (id: number, token: string | undefined) => {
    const url = `/dtpchan/board/${boardId}/thread/${thread.id}#p${id}`
    const poster = `/api/moderation/poster?boardId=${boardId}&postId=${id}`
    return Promise.all([
      callApi(site, 'POST', '/api/moderation/takedowns', { token, json: { url } }),
      callApi(site, 'GET', poster, { token }),
    ])
  }
  const answersOf = async (id: number, token: string | undefined) =>
    (await ask(id, token)).map(({ status, body }) => [status, body.error])
  for (const token of [tokens.member, tokens.otherModerator]) {
    const unknown = await answersOf(999_999_999, token)
    expect(unknown.map(([status]) => status)).toEqual([404, 404])
    for (const { id } of [comment, reply]) expect(await answersOf(id, token)).toEqual(unknown)
    expect((await answersOf(thread.id, token)).map(([status]) => status)).toEqual([403, 403])
  }
  expect((await answersOf(reply.id, tokens.moderator))[0]).toEqual([200, undefined])
})

test('lets everyone read the log', async () => {
  for (const role of ROLES) {
    expect((await callApi(site, 'GET', '/api/moderation/log', { token: tokens[role] })).status).toBe(200)
  }
})
