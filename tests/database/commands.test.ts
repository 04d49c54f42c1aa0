import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { ADMIN, commandEnvironment, NODE, runCommand, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

/** Runs on PostgreSQL only, because usage texts and messages do not depend on the kind of database. */
const textTest = test.runIf(inject('database') === 'postgres')
/** The embedded database only repeats the result. */
const repeatedTest = test.runIf(isDeep || inject('database') === 'postgres')
let place: TestDatabase
beforeAll(async () => {
  place = await testDatabase()
})
afterAll(() => place.cleanup())

const run = (args: string, input?: string) => runCommand(place, args.split(' '), input)

async function login(site: SiteProcess, email: string, password: string) {
  const answer = await fetch(`${site.origin}/api/dtpchan/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return { status: answer.status, body: (await answer.json()) as { token: string; user: { role: string } } }
}

describe('users', () => {
  let site: SiteProcess
  afterAll(async () => expect(await site.stop()).toBe(0))

  test('are added while the site is stopped, and changed while it runs', async () => {
    const added = await run('users add Mod@Example.org', 'a good password\n')
    expect(added.output).toBe('Added mod@example.org as member\n')
    site = await spawnSite(place)
    expect((await login(site, 'mod@example.org', 'a good password')).body.user.role).toBe('member')
    expect((await run('users role mod@example.org admin')).code).toBe(0)
    expect((await login(site, 'mod@example.org', 'a good password')).body.user.role).toBe('admin')
  })

  textTest('moderate boards, get other passwords, stream, and are removed', async () => {
    expect((await run('users add mod@example.org', 'a good password\n')).output).toContain(
      'The user mod@example.org already exists',
    )
    const { body } = await login(site, 'mod@example.org', 'a good password')
    const make = (token: string) =>
      fetch(`${site.origin}/api/dtpchan/boards`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ name: 'Tech', description: 'x' }),
      })
    expect((await make(body.token)).status).toBe(200)
    expect((await run(`boards moderators tech add ${ADMIN.email}`)).output).toBe(
      `Moderators of /tech/: mod@example.org, ${ADMIN.email}\n`,
    )
    expect((await run('boards moderators tech remove mod@example.org')).output).toBe(
      `Moderators of /tech/: ${ADMIN.email}\n`,
    )

    expect((await run('users passwd mod@example.org', 'another password\n')).code).toBe(0)
    expect((await make(body.token)).status).toBe(401)
    expect((await login(site, 'mod@example.org', 'another password')).status).toBe(200)
    const { output: streamPassword } = await run('users streamer mod@example.org Night Owl')
    expect(streamPassword).toMatch(/^[a-z2-7]{26}\n$/)
    expect((await run('users streamer mod@example.org --rename Early Bird')).output).toContain('streams as Early Bird')
    expect((await run('users streamer mod@example.org --off')).output).toContain('all sources are disconnected')
    expect((await run('users list')).output).toMatch(
      /^admin@example\.org\tadmin\t\d{4}-.*\nmod@example\.org\tadmin\t.*\tstreamer Early Bird \(disabled\)\n/,
    )
    const { token } = (await login(site, 'mod@example.org', 'another password')).body
    const own = await fetch(`${site.origin}/api/streamer`, { headers: { authorization: `Bearer ${token}` } })
    expect(await own.json()).toMatchObject({ streamer: { name: 'Early Bird', isDisabled: true } })
    await run('boards moderators tech add mod@example.org')
    const page = async () => (await fetch(`${site.origin}/dtpchan/board/tech`)).text()
    await expect.poll(page).toContain('mod@example.org')
    expect((await run('users remove mod@example.org')).code).toBe(0)
    await expect.poll(page).not.toContain('mod@example.org')
    expect((await login(site, 'mod@example.org', 'another password')).status).toBe(401)
  })
})

textTest.each(
  someOf([
    ['users add short@example.org', 'short\n'],
    ['users', ''],
    ['users frobnicate someone@example.org', ''],
    ['users add not-an-email', 'a good password\n'],
    ['users add king@example.org king', 'a good password\n'],
    ['users role nobody@example.org admin', ''],
    ['users remove nobody@example.org', ''],
    ['users streamer admin@example.org --frobnicate', ''],
    ['users streamer admin@example.org admin', ''],
    ['boards moderators nowhere add admin@example.org', ''],
  ]),
)('rejects "%s" with a message and no stack trace', async (args, input) => {
  const { code, output } = await run(args, input)
  expect(code).toBe(1)
  expect(output.trim()).not.toBe('')
  expect(output).not.toMatch(/\bat .*:\d+:\d+/)
})

textTest.each(someOf(['users', 'boards', 'feeds', 'seed', 'import', 'backup', 'restore', 'export']))(
  '%s prints its usage with --help',
  async (command) => {
    const { code, output } = await runCommand(place, [command, '--help'], '', { PORT: 'wrong' })
    expect(code).toBe(0)
    expect(output).toMatch(new RegExp(`^npm run ${command} -- `))
    expect(await runCommand(place, [command, 'list', '-h'])).toEqual({ code, output })
  },
)

test.runIf(isDeep && inject('database') === 'postgres')(
  'seed uses the default for an option without a value',
  async () => {
    await run('users add seeder@example.org admin', 'a good password\n')
    const { code, output } = await run('seed --board few --threads 1 --pictures 0 --comments')
    expect([code, output]).toEqual([0, expect.stringMatching(/^Seeded \/few\/: 1 thread, \d{3} comments, /m)])
  },
)

textTest.each(
  someOf([
    'seed --thread=3',
    'seed --frobnicate',
    'seed --threads 3 --frobnicate',
    'users remove excess@example.org other@example.org',
    'users role excess@example.org admin other@example.org',
    'users streamer excess@example.org --remove other@example.org',
    'boards moderators few add excess@example.org other@example.org',
  ]),
)('changes nothing and prints the usage of "%s"', async (args) => {
  await run('users add excess@example.org', 'a good password\n')
  expect(await run(args)).toEqual({ code: 1, output: expect.stringMatching(/^npm run \w+ -- /) })
  expect((await run('users list')).output).toContain('excess@example.org\tmember')
})

const tool = (path: string, ...args: string[]) => {
  const ran = spawnSync(process.execPath, ['--import', 'tsx', path, ...args], { encoding: 'utf8' })
  return { code: ran.status, output: ran.stdout + ran.stderr }
}

test.runIf(isDeep && inject('database') === 'postgres')(
  'fuzz and bench print their usage, and bench rejects an unknown database',
  () => {
    expect(tool('tests/fuzz/run.ts', '--help')).toEqual({ code: 0, output: expect.stringMatching(/^npm run fuzz -- /) })
    const bench = 'tests/bench/bench.ts'
    expect(tool(bench, '--help')).toEqual({ code: 0, output: expect.stringMatching(/^npm run bench -- /) })
    expect(tool(bench, '--on', 'nope')).toEqual({
      code: 1,
      output: 'Unknown database nope: --on must be one of pglite, postgres\n',
    })
  },
)

textTest('stops the start with one clear line for an invalid setting', async () => {
  const bad = async (env: Record<string, string>) => (await runCommand(place, ['main'], '', env)).output.trim()
  expect(await bad({ PORT: 'http' })).toMatch(/^Setting PORT is wrong: .*$/)
  expect(await bad({ LOG_LEVEL: 'loud' })).toMatch(/^Setting LOG_LEVEL is wrong: .*$/)
  expect(await bad({ DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET_KEY: '' })).toMatch(
    /^Setting SECRET_KEY is missing/,
  )
  expect(await bad({ DATABASE_URL: 'postgres://127.0.0.1:1/x' })).toBe(
    'Cannot connect to the database at 127.0.0.1:1: connection refused',
  )
  expect(await bad({ TRUST_PROXY: 'banana' })).toMatch(/^Setting TRUST_PROXY is wrong: .*$/)
})

test('stops the start with one clear line for an unusable folder or port', async () => {
  const bad = async (env: Record<string, string>) => (await runCommand(place, ['main'], '', env)).output.trim()
  const file = fileURLToPath(import.meta.url)
  const isNo = `Setting DATA_DIR is wrong: ${file} cannot be written to: it is not a folder`
  expect(await bad({ DATA_DIR: file })).toBe(isNo)
  expect(await bad({ DATA_DIR: join(file, 'data') })).toBe(
    `Setting DATA_DIR is wrong: ${join(file, 'data')} cannot be written to: not a directory`,
  )
  if (!place.databaseUrl) {
    expect((await runCommand(place, ['users', 'list'], '', { DATA_DIR: file })).output.trim()).toBe(isNo)
  }
  const lost = join(place.dataDir, 'not mounted', 'backups')
  expect(await bad({ BACKUP_EVERY: '1d', BACKUP_DIR: lost })).toBe(
    `Setting BACKUP_DIR is wrong: ${lost} cannot be written to: there is no ${join(place.dataDir, 'not mounted')}`,
  )
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  expect(await bad({ HOST: '127.0.0.1', PORT: String(port) })).toBe(
    `Settings HOST and PORT are wrong: cannot listen on 127.0.0.1:${port}: address already in use`,
  )
  other.close()
})

test('removes the copies of backups that killed restores of earlier versions left', async () => {
  const copy = join(place.dataDir, '.restore-0b8f7c1e-1c9d-4d0a-9f0e-6f5d1c2b3a49.tmp')
  const other = join(place.dataDir, '.restore-mine.tmp')
  for (const file of [copy, other]) await writeFile(file, 'rows')
  await (await spawnSite(place)).stop()
  expect([existsSync(copy), existsSync(other)]).toEqual([false, true])
})

textTest('a command does its work to the end if its output is no longer read', async () => {
  const [program, ...flags] = NODE
  const args = [...flags, 'dist/current/site/seed.mjs', '--threads', '2', '--comments', '2', '--pictures', '0']
  const child = spawn(program, args, { env: commandEnvironment(place) })
  child.stdout.destroy()
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect([code, errors]).toEqual([0, ''])
})

repeatedTest('shows the admin’s password once at the first start, with the command to change it', async () => {
  const fresh = await testDatabase()
  const none = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }
  try {
    const first = await spawnSite(fresh, none)
    const [, email = '', password = ''] = /email\s+(\S+)\s+password\s+(\S+)/.exec(first.output()) ?? []
    expect((await login(first, email, password)).body.user).toMatchObject({ role: 'admin', generatedPassword: true })
    expect(first.output()).toContain(`npm run users -- passwd ${email}`)
    expect(first.output()).toContain('/account')
    const manage = (args: string[], input = '') => runCommand(fresh, ['users', ...args], input, none)
    expect(await manage(['passwd', email], 'a password of my own\n')).toEqual({
      code: 0,
      output: `Changed the password of ${email}; all sessions are ended\n`,
    })
    expect((await login(first, email, 'a password of my own')).body.user).toMatchObject({ generatedPassword: false })
    expect((await manage(['role', email, 'admin'])).code).toBe(0)
    expect((await manage(['add', 'next@example.org', 'admin'], 'a good password\n')).code).toBe(0)
    expect((await manage(['remove', email])).output).toBe(`Removed ${email}\n`)
    await first.stop()
    const second = await spawnSite(fresh, none)
    expect(second.output()).not.toContain('password')
    if (!fresh.databaseUrl) {
      await expect(spawnSite(fresh, none)).rejects.toThrow(`another site is already running on ${fresh.dataDir}`)
    }
    await second.stop()
  } finally {
    await fresh.cleanup()
    await rm(fresh.dataDir, { recursive: true, force: true })
  }
})
