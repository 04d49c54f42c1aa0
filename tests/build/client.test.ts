import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDeep } from '#tests/helpers/depth.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { runNode, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PACKED = join(ROOT, 'dist/client')
/** Dependencies of the client and the examples. Links to those of this checkout, because tests use no network. */
const DEPENDENCIES = ['@trpc/client', '@trpc/server', 'superjson', '@types/node']
const EXAMPLES = ['paste.ts', 'watch.ts']
const CHECKS = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom', '--types', 'node']

const run = promisify(execFile)
let folder: string
let project: string
let site: SiteProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dtp-client-'))
  project = join(folder, 'project')
  await mkdir(project)
  await run('node', ['build/client.mjs'], { cwd: ROOT })
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, PACKED])
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  const client = join(project, 'node_modules/dtp-site-client')
  await mkdir(client, { recursive: true })
  await run('tar', ['-xzf', join(folder, archive), '-C', client, '--strip-components', '1'])
  for (const name of DEPENDENCIES) {
    await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  }
  const examples = join(client, 'examples')
  for (const name of EXAMPLES) await writeFile(join(project, name), await readFile(join(examples, name)))
  site = await spawnSite({ dataDir: join(folder, 'data') })
})
afterAll(async () => {
  await site?.stop()
  await rm(folder, { recursive: true, force: true })
})

test.runIf(isDeep)('has the version of the site, and contains no server code, also not in its types', async () => {
  const versionOf = async (folder: string) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version
  expect(await versionOf(PACKED)).toBe(await versionOf(ROOT))
  const names = await readdir(join(project, 'node_modules/dtp-site-client'))
  expect(names.sort()).toEqual([
    'LICENSE',
    'README.md',
    'examples',
    'index.d.ts',
    'index.js',
    'package.json',
    'router.d.ts',
  ])
  for (const name of ['index.d.ts', 'router.d.ts']) {
    const text = await readFile(join(project, 'node_modules/dtp-site-client', name), 'utf8')
    expect(text).not.toMatch(/import\(|drizzle|fastify|zod|#src|#server/)
  }
})

test.runIf(isDeep)('types calls and subscriptions, and compiles its examples', async () => {
  await writeFile(
    join(project, 'types.ts'),
    `import { createSiteClient, unpackThread } from 'dtp-site-client'
const site = createSiteClient('http://127.0.0.1', { token: () => undefined })
const { boards } = await site.board.list.query()
export const names: string[] = boards.map(({ name }) => name)
export const { thread } = unpackThread(await site.board.thread.query({ boardId: 'tech', threadId: '1' }))
export const at: Date | undefined = thread.comments[0]?.createdAt
export const { url }: { url: string } = await site.paste.create.mutate({ content: 'x', expiryHours: 1 })
site.site.events.subscribe({ topics: ['boards'] }, { onData: ({ data: { change } }) => change.kind === 'boards' })
// @ts-expect-error a missing field
await site.paste.create.mutate({})
// @ts-expect-error a value that is none of the choices
await site.paste.create.mutate({ content: 'x', expiryHours: 2 })
// @ts-expect-error a call that needs a file
await site.image.create.mutate({})
// @ts-expect-error an unknown call
await site.board.nothing.query()
`,
  )
  const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...CHECKS, 'types.ts', ...EXAMPLES]
  const failure = await run(process.execPath, tsc, { cwd: project }).catch((error) => error)
  expect(failure.stdout).toBe('')
})

test.runIf(isDeep)('reads several threads, lists and pastes at once', async () => {
  const { threadId } = await createBoardWithThread(site.origin, 'Several')
  await writeFile(
    join(project, 'several.js'),
    `import { createSiteClient } from 'dtp-site-client'
const { board } = createSiteClient('${site.origin}')
const place = { boardId: 'several', threadId: '${threadId}' }
const answers = await Promise.all([board.thread.query(place), board.thread.query(place), board.threads.query(place)])
console.log(answers.length)
`,
  )
  const read = await runNode({ checkout: project, dataDir: folder }, ['several.js'])
  expect(read).toEqual({ code: 0, output: '3\n' })
})

test.runIf(isDeep)('pastes from the command line, and prints new posts of a thread', async () => {
  const place = { checkout: project, dataDir: folder }
  const pasted = await runNode(place, ['paste.js', site.origin, '--burn', '--expires', '1'], 'from the command line')
  expect(pasted).toEqual({ code: 0, output: expect.stringMatching(/^http\S+\/paste\/\S+\n$/) })
  const id = pasted.output.trim().split('/').at(-1)
  const { paste } = await (await fetch(`${site.origin}/api/paste/${id}`)).json()
  expect(paste).toMatchObject({ burnAfterReading: true, content: null })
  const refused = await runNode(place, ['paste.js', site.origin], '   ')
  expect(refused).toEqual({ code: 1, output: 'Please enter some content to paste\n' })

  const { threads, threadId } = await createBoardWithThread(site.origin, 'Watched')
  const watch = spawn(process.execPath, ['watch.js', site.origin, 'watched', String(threadId)], { cwd: project })
  let output = ''
  for (const stream of [watch.stdout, watch.stderr]) stream.on('data', (chunk) => (output += chunk))
  await expect.poll(() => output).toContain('Watching')
  const comment = (content: string) => postForm(site.origin, `${threads}/${threadId}/comments`, { content })
  await comment('the first\u2028line')
  await expect.poll(() => output).toContain('writer: the first')

  // The watcher reconnects to a site that restarts at the same port.
  await site.stop()
  site = await spawnSite({ dataDir: join(folder, 'data') }, { PORT: new URL(site.origin).port })
  await comment('after the restart')
  await expect.poll(() => output).toContain('writer: after the restart')
  expect(output.match(/the first/g)).toHaveLength(1)
  watch.kill()
  await once(watch, 'exit')
})
