import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { readConfig } from '#server/core/config/config.ts'
import { ensureAdmin } from '#server/features/auth/service.ts'
import { listUsers } from '#server/features/auth/users.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { freePort } from '#tests/helpers/freePort.ts'
import { ADMIN, readJson, runCommand, spawnSite } from '#tests/helpers/siteProcess.ts'

const embedded = inject('database') === 'pglite'
const NO_ADMIN = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }
const NO_SECRET = { SECRET_KEY: '' }
const PASSWORD_LINE = /^ {4}password {2}\S+$/m

let place: TestDatabase
beforeEach(async () => {
  place = await testDatabase(inject('database'), { migrated: false })
})
afterEach(() => place.cleanup())

test.runIf(isDeep)('shows the admin’s password even when the port was taken at the first start', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const PORT = String((other.address() as AddressInfo).port)
  const failed = await runCommand(place, ['main'], '', { ...NO_ADMIN, PORT })
  other.close()
  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('address already in use') })
  const site = await spawnSite(place, NO_ADMIN)
  expect(failed.output + site.output()).toMatch(PASSWORD_LINE)
  expect(await site.stop()).toBe(0)
})

test('is ready only when the first admin can log in and the default programs exist', async () => {
  const port = await freePort()
  const starting = spawnSite(place, { PORT: String(port) })
  const origin = `http://127.0.0.1:${port}`
  const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => null))?.status === 200
  await expect.poll(isReady, { interval: 5 }).toBe(true)
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${origin}/api/dtpchan/admin/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(ADMIN),
  })
  const { programs } = await readJson(await fetch(`${origin}/api/programs`))
  expect([login.status, programs.length > 0]).toEqual([200, true])
  await (await starting).stop()
})

test.skipIf(embedded && !isDeep)(
  'creates one admin and shows one password when processes start simultaneously',
  async () => {
    const { db, close } = await openDatabase(place)
    const config = readConfig({ DATA_DIR: place.dataDir })
    const made = await Promise.all([1, 2, 3].map(() => ensureAdmin({ db, config })))
    expect(made.filter((admin) => admin !== null)).toHaveLength(1)
    expect(await listUsers({ db, now: () => new Date() })).toHaveLength(1)
    await close()
  },
)

test.runIf(isDeep && !embedded)(
  'three processes that start at once on an empty database all come up, and one shows the password (PostgreSQL only)',
  async () => {
    const sites = await Promise.all([1, 2, 3].map(() => spawnSite(place, NO_ADMIN)))
    for (const { origin } of sites) expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    expect(sites.filter((site) => PASSWORD_LINE.test(site.output()))).toHaveLength(1)
    expect(await Promise.all(sites.map((site) => site.stop()))).toEqual([0, 0, 0])
  },
)

test.runIf(isDeep && embedded)(
  'refuses a secret that is missing beside data, empty or short, and starts with the restored one',
  async () => {
    const file = join(place.dataDir, 'secret.key')
    await (await spawnSite(place, NO_SECRET)).stop()
    const secret = await readFile(file, 'utf8')
    const backup = join(place.dataDir, 'site.backup')
    expect(await runCommand(place, ['backup', backup], '', NO_SECRET)).toMatchObject({ code: 0 })

    const refusals = [
      { text: null, said: `Cannot start: ${file} is missing, but the site has data. Restore it from a backup` },
      { text: '\n', said: `${file} is empty. Restore it from a backup` },
      { text: 'short\n', said: `${file} is too short: 5 of at least 32 characters. Restore it from a backup` },
    ]
    for (const { text, said } of refusals) {
      await (text === null ? rm(file) : writeFile(file, text))
      for (const program of text === null ? [['main'], ['users', 'list']] : [['main']]) {
        const { code, output } = await runCommand(place, program, '', NO_SECRET)
        expect(output).toContain(said)
        expect(code).toBe(1)
      }
      expect(await readFile(file, 'utf8').catch(() => null)).toBe(text)
    }
    expect((await runCommand(place, ['backup', `${backup}2`], '', NO_SECRET)).output).toContain(`${file} is too short`)

    expect(await runCommand(place, ['restore', backup, '--replace'], '', NO_SECRET)).toMatchObject({ code: 0 })
    expect(await readFile(file, 'utf8')).toBe(secret)
    expect(await (await spawnSite(place, NO_SECRET)).stop()).toBe(0)
  },
)

test.runIf(embedded && isDeep)('makes a secret where a backup is restored without its own', async () => {
  const source = await testDatabase('pglite', { migrated: false })
  await (await spawnSite(source)).stop()
  const backup = join(source.dataDir, 'site.backup')
  expect(await runCommand(source, ['backup', backup])).toMatchObject({ code: 0 })
  const restored = await runCommand(place, ['restore', backup, '--other-secret'], '', NO_SECRET)
  expect(restored).toMatchObject({ code: 0 })
  expect(await (await spawnSite(place, NO_SECRET)).stop()).toBe(0)
  await source.cleanup()
})
