import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { readJson, runNode, spawnSite } from '#tests/helpers/siteProcess.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = ['/', '/dtpchan', '/visualizer', '/admin']
const run = promisify(execFile)
const readText = (name: string) => readFile(join(ROOT, name), 'utf8')

let folder: string
let checkout: string

/** Copies the content of the image: the built site, and the packages of `npm ci --omit=dev`. */
beforeAll(async () => {
  // Outside of the checkout, or Node would find all packages.
  folder = await mkdtemp(join(tmpdir(), 'dtp-runtime-'))
  checkout = join(folder, 'app')
  const { packages } = JSON.parse(await readText('package-lock.json'))
  const installed = Object.entries<{ dev?: boolean; optional?: boolean }>(packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev)
    .map(([path]) => path)
  await mkdir(join(checkout, 'server'), { recursive: true })
  const sources = await existing(installed)
  const copy = (mode: string) => run('cp', [mode, '--parents', ...sources, checkout], { cwd: ROOT })
  // Hard links take no space, but need the same disk.
  await copy('-al').catch(() => copy('-a'))
  await run('cp', ['-a', await realpath(join(ROOT, 'dist/current')), join(checkout, 'current')])
  await mkdir(join(checkout, 'dist'))
  await run('mv', ['current', 'dist/current'], { cwd: checkout })
  for (const name of ['package.json', 'server/run.mjs', 'server/nodeVersion.mjs', 'server/buildStore.mjs'])
    await run('cp', [join(ROOT, name), join(checkout, name)])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Leaves out optional packages of other systems, which npm does not install. */
async function existing(paths: string[]): Promise<string[]> {
  const { stdout } = await run(
    'sh',
    ['-c', 'for path; do [ -e "$path" ] && echo "$path"; done; true', 'sh', ...paths],
    {
      cwd: ROOT,
    },
  )
  return stdout.trim().split('\n')
}

test('imports only run-time packages, and bundles large packages', async () => {
  const built = join(ROOT, 'dist/current')
  const site = (await readdir(join(built, 'site'))).filter((name) => name.endsWith('.mjs'))
  const { metafile } = await build({
    entryPoints: site.map((name) => join(built, 'site', name)),
    bundle: true,
    packages: 'external',
    // Each file is read once, instead of with each file that imports it.
    external: ['./*'],
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    outdir: join(folder, 'bundled'),
    logLevel: 'error',
  })
  const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  const names = imports
    .filter((path) => !path.startsWith('.') && !path.startsWith('node:') && !builtinModules.includes(path))
    .map((path) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  const { dependencies } = JSON.parse(await readText('package.json'))
  expect([...new Set(names)].filter((name) => !(name in dependencies))).toEqual([])
  for (const name of ['lucide-react', 'butterchurn', 'butterchurn-presets', 'drizzle-orm', 'fastify', 'vike', 'zod'])
    expect(dependencies).not.toHaveProperty(name)
})

test('serves pages, stores an image, colours code and runs commands with run-time packages only', async () => {
  const site = await spawnSite({ checkout, dataDir: join(folder, 'data') })
  const statuses = await Promise.all(PAGES.map(async (path) => [path, (await fetch(site.origin + path)).status]))
  expect(statuses).toEqual(PAGES.map((path) => [path, 200]))
  const picture = new File([new Uint8Array(await stillImage(40, 40).png().toBuffer())], 'p.png', { type: 'image/png' })
  const { threads, threadId } = await createBoardWithThread(site.origin, 'Runtime')
  const content = '```js\nconst one = 1\n```'
  const posted = await postForm(site.origin, `${threads}/${threadId}/comments`, { content, image: picture })
  expect(posted).toMatchObject({ success: true, comment: { image: expect.anything() } })
  const preview = await fetch(`${site.origin}/og.png`)
  expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'image/png'])
  const paste = await readJson(
    await fetch(`${site.origin}/api/paste`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'const one = 1', language: 'javascript', expiryHours: 1 }),
    }),
  )
  expect(await (await fetch(site.origin + new URL(paste.url).pathname)).text()).toContain('<span class="hl-keyword')
  const place = { checkout, dataDir: join(folder, 'data') }
  expect((await runNode(place, ['server/run.mjs', 'users', 'list'])).output).toContain('admin@example.org')
  expect(await site.stop()).toBe(0)
})
