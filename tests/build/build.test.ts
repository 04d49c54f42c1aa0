import { createReadStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDeep } from '#tests/helpers/depth.ts'
import { runNode, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['package.json', 'tsconfig.json', 'vite.config.ts', 'build', 'db', 'pages', 'public', 'server', 'src']
const PAGES = [
  ...['/', '/about', '/archive', '/debauched-blog', '/dtpchan', '/image-sharing', '/login', '/password-generator'],
  ...['/paste-service', '/programs-we-love', '/today-in-tech', '/visualizer'],
]

let folder: string
let checkout: string
const current = () => realpath(join(checkout, 'dist/current'))
const builds = async () => (await readdir(join(checkout, 'dist'))).filter((name) => name.startsWith('build-'))
const runCommand = (data: string, ...args: string[]) =>
  runNode({ checkout, dataDir: join(folder, data) }, ['server/run.mjs', ...args])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dtp-build-'))
  checkout = join(folder, 'checkout')
  await mkdir(checkout)
  for (const name of SOURCES) await cp(join(ROOT, name), join(checkout, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  await copyBuild()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.runIf(isDeep)('serves every page and asset while a command builds again', async () => {
  const site = await spawnSite({ checkout, dataDir: join(folder, 'site') }, { PAGE_CACHE: 'off' })
  const siteBuild = await current()
  const files = await readdir(join(siteBuild, 'client/assets'), { recursive: true })
  const assets = files.filter((name) => /\.(js|css|woff2)$/.test(name)).map((name) => `/assets/${name}`)
  expect(assets.length).toBeGreaterThan(20)

  await writeFile(join(checkout, 'src/styles/tokens.css'), '\n:root { --changed: 1px; }\n', { flag: 'a' })
  const listed = await runCommand('site', 'users', 'list')
  expect(listed.output).toContain('The sources are newer than this build')
  expect(listed.output).toContain('admin@example.org')
  expect(await current()).toBe(siteBuild)

  // Without the link, the checkout is like a fresh one, in which a command builds.
  await rm(join(checkout, 'dist/current'))
  let isBuilding = true
  const commands = ['other', 'third'].map((data) => runCommand(data, 'users', 'list'))
  const building = Promise.all(commands).finally(() => {
    isBuilding = false
  })
  const home = [...(await (await fetch(site.origin)).text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  while (isBuilding) {
    await expectServed(site, ['/', '/dtpchan', ...home.map(String)])
    // Leaves the processor to the build.
    await sleep(200)
  }
  const built = { code: 0, output: 'Building the site, this takes some seconds...\n' }
  expect(await building).toEqual([built, built])
  expect(await current()).not.toBe(siteBuild)
  expect(await builds()).toHaveLength(2)

  await expectServed(site, assets)
  // Even without its files, the running server must serve pages that were never requested before.
  await rm(join(siteBuild, 'server'), { recursive: true })
  await expectServed(site, PAGES)
  expect(await site.stop()).toBe(0)

  const { removeUnused } = await import(join(checkout, 'server/buildStore.mjs'))
  removeUnused([await current()])
  expect(await builds()).toHaveLength(1)
})

/** The state of a database that was closed, and its place in the control file of PostgreSQL. */
const [CLOSED, STATE_AT] = [1, 16]

test('the template of the embedded database was closed, so that a first start recovers nothing', async () => {
  const file = createReadStream(join(await current(), 'template.tar.gz'))
  let state: number | undefined
  for await (const entry of file.pipe(createGunzip()).pipe(extract())) {
    const content = await buffer(entry)
    if (entry.header.name === 'global/pg_control') state = content.readUInt32LE(STATE_AT)
  }
  expect(state).toBe(CLOSED)
})

test('names a wrong setting before it builds', async () => {
  const before = await builds()
  await writeFile(join(checkout, 'src/styles/tokens.css'), '\n', { flag: 'a' })
  const run = runNode({ checkout, dataDir: join(folder, 'wrong') }, ['server/run.mjs', 'main'], '', { PORT: 'high' })
  const { code, output } = await run
  expect([code, output]).toEqual([1, expect.stringMatching(/\nSetting PORT is wrong: .+\n$/)])
  expect(await builds()).toEqual(before)
})

test('does not wait for a killed build of a process that had the same id', async () => {
  const [killed, own] = [1, 2].map((time) => join(checkout, `dist/build-${time}-${process.pid}`)) as [string, string]
  for (const build of [killed, own]) await mkdir(build, { recursive: true })
  const { waitForEarlierBuilds } = await import(join(checkout, 'server/buildStore.mjs'))
  await waitForEarlierBuilds(own)
  for (const build of [killed, own]) await rm(build, { recursive: true })
})

test('two builds that end at the same time delete old builds, but none that is being written', async () => {
  const dist = join(checkout, 'dist')
  for (let build = 0; build < 40; build++) {
    const assets = join(dist, `build-${build}-old`, 'assets')
    await mkdir(assets, { recursive: true })
    await Promise.all(Array.from({ length: 50 }, (_, file) => writeFile(join(assets, `${file}.js`), '')))
  }
  const written = join(dist, `build-1-${process.pid}`)
  await mkdir(written)
  const script = `
    const { removeUnused } = await import('./server/buildStore.mjs')
    await new Promise((resolve) => setTimeout(resolve, ${Date.now() + 2000} - Date.now()))
    removeUnused([])`
  const end = () => runNode({ checkout, dataDir: folder }, ['--input-type=module', '--eval', script])
  const done = { code: 0, output: '' }
  expect(await Promise.all([end(), end(), end()])).toEqual([done, done, done])
  expect(await builds()).toContain(basename(written))
})

/** Copies the build of this checkout, without the marks of the processes that run it. */
async function copyBuild(): Promise<void> {
  const built = await realpath(join(ROOT, 'dist/current'))
  const filter = (path: string) => !path.endsWith('.pid')
  await cp(built, join(checkout, 'dist/build-copied'), { recursive: true, filter })
  await symlink('build-copied', join(checkout, 'dist/current'))
}

async function expectServed(site: SiteProcess, paths: string[]): Promise<void> {
  const failures: string[] = []
  for (const path of paths) {
    const response = await fetch(`${site.origin}${path}`)
    await response.arrayBuffer()
    if (response.status !== 200) failures.push(`${path} ${response.status}`)
  }
  expect(failures).toEqual([])
}
