import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContext } from '#server/core/context.ts'
import { findUser } from '#server/features/auth/service.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { jobs } from '#server/jobs.ts'
import { type Caller, createCaller } from '#server/router.ts'
import { createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const ROLES = ['visitor', 'member', 'moderator', 'admin'] as const
type Who = (typeof ROLES)[number]
type Outcome = 'ok' | 'UNAUTHORIZED' | 'FORBIDDEN'

let site: TestSite
let callers: Record<Who, Caller>

const callerOf = (token?: string, headers = {}) =>
  createCaller(
    createContext(site.app.services, {
      ip: '127.0.0.1',
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    }),
  )

beforeAll(async () => {
  site = await startSite()
  const admin = await site.createToken('admin@example.org', 'admin')
  callers = {
    visitor: callerOf(),
    member: callerOf(await site.createToken('member@example.org')),
    moderator: callerOf(await site.createToken('moderator@example.org')),
    admin: callerOf(admin),
  }
  await createBoard(site, 'Here', admin)
  await changeModerator(site.app.services, 'here', 'add', 'moderator@example.org')
})
afterAll(() => site.close())

const ADMINS: Record<Who, Outcome> = {
  visitor: 'UNAUTHORIZED',
  member: 'FORBIDDEN',
  moderator: 'FORBIDDEN',
  admin: 'ok',
}
const MODERATORS: Record<Who, Outcome> = { ...ADMINS, moderator: 'ok' }
const target = { email: 'target@example.org' }

const CALLS: [string, Record<Who, Outcome>, (api: Caller) => Promise<unknown>][] = [
  ['what one moderates', MODERATORS, (api) => api.auth.moderation()],
  ['list users', ADMINS, (api) => api.auth.users.list()],
  ['add a user', ADMINS, (api) => api.auth.users.add({ email: `new${Math.random()}@example.org`, role: 'member' })],
  ['change a role', ADMINS, (api) => api.auth.users.changeRole({ ...target, role: 'member' })],
  ['set a new password', ADMINS, (api) => api.auth.users.renewPassword(target)],
  ['end sessions', ADMINS, (api) => api.auth.users.endSessions(target)],
  ['remove a user', ADMINS, (api) => api.auth.users.delete(target)],
  ['reset a second factor', ADMINS, (api) => api.auth.users.resetSecondFactor(target)],
  ['change a board', ADMINS, (api) => api.board.change({ boardId: 'here', name: 'Here', description: 'x', rules: '' })],
  ['move a board', ADMINS, (api) => api.board.move({ boardId: 'here', by: 1 })],
  ['add a moderator', ADMINS, (api) => api.board.changeModerator({ boardId: 'here', change: 'add', ...target })],
  ['list feeds', ADMINS, (api) => api.news.feeds()],
  ['try a feed', ADMINS, (api) => api.news.tryFeed({ url: 'http://127.0.0.1:9/' })],
  ['read the overview', ADMINS, (api) => api.site.operations.overview()],
  ['read the storage', ADMINS, (api) => api.site.operations.storage()],
  ['list jobs', ADMINS, (api) => api.site.operations.jobs()],
  ['run a job', ADMINS, (api) => api.site.operations.runJob({ name: 'captchas' })],
]

describe.each(CALLS)('%s', (_name, expected, call) => {
  test.each(ROLES)('%s', async (who) => {
    await site.createToken(target.email)
    const outcome = await call(callers[who]).then(
      () => 'ok',
      (error) => error.code,
    )
    expect(outcome).toBe(expected[who])
  })
})

test('tells moderators their boards, and admins that they moderate all', async () => {
  expect(await callers.moderator.auth.moderation()).toEqual({ boards: ['here'] })
  expect(await callers.admin.auth.moderation()).toEqual({ boards: null })
})

describe('users', () => {
  test('adds a user whose generated password works and must be replaced', async () => {
    const { email, password } = await callers.admin.auth.users.add({ email: ' New@Example.org ', role: 'member' })
    expect(email).toBe('new@example.org')
    expect(password).toMatch(/^[\w-]{16}$/)
    const { user } = await callers.visitor.auth.login({ email, password })
    expect(user).toMatchObject({ email, role: 'member', generatedPassword: true })
    await expect(callers.admin.auth.users.add({ email, role: 'admin' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await callers.admin.auth.users.list()).find((listed) => listed.email === email)).toMatchObject({
      role: 'member',
      sessions: 1,
      moderates: [],
    })
  })

  test('sets a new password, which ends the sessions', async () => {
    const email = 'renewed@example.org'
    const old = callerOf(await site.createToken(email))
    const { password } = await callers.admin.auth.users.renewPassword({ email })
    expect(await old.auth.me()).toBeNull()
    const attempt = callers.visitor.auth.login({ email, password: 'correct horse battery' })
    await expect(attempt).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect((await callers.visitor.auth.login({ email, password })).user.email).toBe(email)
  })

  test('ends the sessions of one user only', async () => {
    const tokens = [await site.createToken('ended@example.org'), await site.createToken('ended@example.org')]
    await callers.admin.auth.users.endSessions({ email: 'ended@example.org' })
    for (const token of tokens) expect(await callerOf(token).auth.me()).toBeNull()
    expect(await callers.admin.auth.me()).not.toBeNull()
  })

  test('does not let admins change their own role or remove themselves', async () => {
    const own = { email: 'admin@example.org' }
    await site.createToken('second@example.org', 'admin')
    const users = callers.admin.auth.users
    await expect(users.changeRole({ ...own, role: 'member' })).rejects.toThrow('You cannot change your own role')
    await expect(users.delete({ email: 'ADMIN@example.org' })).rejects.toThrow('You cannot remove your own account')
    await users.changeRole({ email: 'second@example.org', role: 'member' })
  })

  test('keeps one admin when two admins demote and remove each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const other = callerOf(await site.createToken(`rival${round}@example.org`, 'admin'))
      const results = await Promise.allSettled([
        callers.admin.auth.users.changeRole({ email: `rival${round}@example.org`, role: 'member' }),
        other.auth.users.delete({ email: 'admin@example.org' }),
      ])
      expect(results.some(({ status }) => status === 'rejected')).toBe(true)
      expect(await listAdmins()).toHaveLength(1)
      // Restores the first admin for the next round.
      const token = await site.createToken('admin@example.org', 'admin')
      callers.admin = callerOf(token)
      await site.app.services.db.execute(`delete from "user" where email like 'rival%'`)
    }
  })

  test('rejects unknown users and hostile input without changes', async () => {
    const users = callers.admin.auth.users
    const unknown = { email: 'nobody@example.org' }
    await expect(users.endSessions(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(users.renewPassword(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(users.changeRole({ ...unknown, role: 'admin' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(users.delete(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const before = (await users.list()).length
    for (const email of [
      '',
      'x',
      'a@b',
      '\0@example.org',
      '\ud800@example.org',
      `${'a'.repeat(300)}@example.org`,
      1,
      null,
      {},
    ]) {
      await expect(users.add({ email: email as string, role: 'member' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
    for (const email of ['', '\0', '\ud800', 'a'.repeat(300), 1, null, {}, []]) {
      await expect(users.delete({ email: email as string })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
    await expect(users.add({ email: 'x@example.org', role: 'king' as 'admin' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
    expect(await users.list()).toHaveLength(before)
  })
})

const listAdmins = async () => {
  const emails = ['admin@example.org', ...Array.from({ length: 5 }, (_, round) => `rival${round}@example.org`)]
  const found = await Promise.all(emails.map((email) => findUser(site.app.services.db, email)))
  return found.filter((user) => user?.role === 'admin')
}

describe('jobs', () => {
  test('runs a job at once, and refuses a second run meanwhile', async () => {
    const { operations } = callers.admin.site
    await site.app.services.db.execute(`delete from job where name = 'tidy'`)
    const results = await Promise.allSettled([1, 2].map(() => operations.runJob({ name: 'tidy' })))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const read = async () => (await operations.jobs()).find(({ name }) => name === 'tidy')
    await expect.poll(read).toMatchObject({ isRunning: false, seconds: expect.any(Number), failures: 0 })
    await operations.runJob({ name: 'tidy' })
    await expect.poll(read).toMatchObject({ isRunning: false })
  })

  test('says what each job does, in the language of the page', async () => {
    const token = await site.createToken('polyglot@example.org', 'admin')
    const [english = [], german = []] = await Promise.all(
      ['en', 'de'].map((language) => callerOf(token, { 'x-language': language }).site.operations.jobs()),
    )
    expect(english.filter(({ text }, index) => text !== '' && text !== german[index]?.text)).toHaveLength(jobs.length)
    expect(english).toContainEqual(
      expect.objectContaining({ name: 'pastes', text: 'Deletes pastes that have expired.' }),
    )
  })

  test('rejects unknown jobs', async () => {
    const { runJob } = callers.admin.site.operations
    for (const name of ['', 'nothing', '__proto__', 'tidy\0', '\ud800']) {
      await expect(runJob({ name })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await expect(runJob({ name: 'x'.repeat(5000) })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

test('counts the posts, bytes and files that exist', async () => {
  await postThread(site, 'here')
  const { posts } = await callers.admin.site.operations.overview()
  expect(posts).toHaveLength(24)
  expect(posts.at(-1)?.count).toBe(1)
  const storage = await callers.admin.site.operations.storage()
  expect(storage).toMatchObject({ files: { count: 0, bytes: 0 }, freeDiskBytes: expect.any(Number) })
  expect(storage.databaseBytes).toBeGreaterThan(1_000_000)
})

describe('boards', () => {
  const code = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      (error) => error.code,
    )
  const listed = async () => (await callers.visitor.board.list()).boards
  const page = (boardId: string) => callerOf().board.shownBoard({ boardId })

  test('changes name, description and rules on the board and in the list', async () => {
    const change = { name: 'Renamed', description: 'New text', rules: ' Be kind.\r\nNo spam. ' }
    await callers.admin.board.change({ boardId: 'here', ...change })
    const expected = { id: 'here', name: 'Renamed', description: 'New text', rules: 'Be kind.\nNo spam.' }
    expect((await page('here')).board).toMatchObject(expected)
    expect(await listed()).toContainEqual(expect.objectContaining(expected))
    await callers.admin.board.change({ boardId: 'here', ...change, rules: '' })
    expect((await page('here')).board.rules).toBe('')
    await callers.admin.board.change({ boardId: 'here', ...change, threadLimit: 300 })
    expect((await page('here')).board.threadLimit).toBe(300)
    // A client that does not know the limit keeps it.
    await callers.admin.board.change({ boardId: 'here', ...change })
    expect((await page('here')).board.threadLimit).toBe(300)
  })

  test('moves boards in the list, and lists new boards last', async () => {
    const token = await site.createToken('admin@example.org', 'admin')
    for (const name of ['One', 'Two', 'Three']) await createBoard(site, name, token)
    const order = async () => (await listed()).map(({ id }) => id)
    expect(await order()).toEqual(['here', 'one', 'two', 'three'])
    await callers.admin.board.move({ boardId: 'three', by: -1 })
    expect(await order()).toEqual(['here', 'one', 'three', 'two'])
    await callers.admin.board.move({ boardId: 'here', by: -1 })
    await callers.admin.board.move({ boardId: 'two', by: 1 })
    expect(await order()).toEqual(['here', 'one', 'three', 'two'])
    await createBoard(site, 'Four', token)
    expect(await order()).toEqual(['here', 'one', 'three', 'two', 'four'])
    await Promise.all(['one', 'two', 'four', 'three'].map((boardId) => callers.admin.board.move({ boardId, by: -1 })))
    expect((await order()).toSorted()).toEqual(['four', 'here', 'one', 'three', 'two'])
  })

  test('adds and removes moderators, whose rights change at once', async () => {
    const { move, changeModerator: change } = callers.admin.board
    const helper = callerOf(await site.createToken('helper@example.org'))
    expect(await code(helper.auth.moderation())).toBe('FORBIDDEN')
    await change({ boardId: 'here', change: 'add', email: ' Helper@Example.org ' })
    await change({ boardId: 'here', change: 'add', email: 'helper@example.org' })
    expect(await helper.auth.moderation()).toEqual({ boards: ['here'] })
    await change({ boardId: 'here', change: 'remove', email: 'helper@example.org' })
    expect(await code(helper.auth.moderation())).toBe('FORBIDDEN')
    expect(await code(change({ boardId: 'here', change: 'add', email: 'nobody@example.org' }))).toBe('NOT_FOUND')
    expect(await code(change({ boardId: 'nowhere', change: 'add', email: 'helper@example.org' }))).toBe('NOT_FOUND')
    expect(await code(move({ boardId: 'nowhere', by: 1 }))).toBe('NOT_FOUND')
  })

  test('rejects hostile changes', async () => {
    const valid = { boardId: 'here', name: 'Here', description: 'text', rules: '' }
    const before = await listed()
    for (const wrong of [
      { name: '' },
      { name: 'x'.repeat(65) },
      { description: '\u202e' },
      { rules: 'x'.repeat(2001) },
      { rules: 'a\0b' },
      { rules: 'a\u202eb' },
      { rules: '\ud800' },
      { rules: null },
      { rules: ['x'] },
      { threadLimit: -1 },
      { threadLimit: 10_001 },
      { threadLimit: 1.5 },
      { threadLimit: '3' },
      { threadLimit: null },
    ]) {
      const input = { ...valid, ...wrong } as typeof valid
      expect(await code(callers.admin.board.change(input)), JSON.stringify(wrong)).toBe('BAD_REQUEST')
    }
    for (const boardId of ['', '../here', '\0', 'x'.repeat(5000)]) {
      expect(await code(callers.admin.board.change({ ...valid, boardId }))).toBe('NOT_FOUND')
    }
    for (const by of [0, 2, 1e9, Number.NaN, '1', null]) {
      expect(await code(callers.admin.board.move({ boardId: 'here', by: by as 1 }))).toBe('BAD_REQUEST')
    }
    expect(await listed()).toEqual(before)
  })
})

describe('feeds', () => {
  test('does not fetch private addresses', async () => {
    for (const url of ['http://127.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/latest', 'http://localhost:1/']) {
      expect(await callers.admin.news.tryFeed({ url })).toEqual({ isRead: false, reason: expect.any(String) })
    }
  })

  test('rejects what is not an http URL', async () => {
    for (const url of [
      '',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://',
      `http://a/${'x'.repeat(3000)}`,
      null,
    ]) {
      const call = callers.admin.news.tryFeed({ url: url as string })
      await expect(call, String(url)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })
})
