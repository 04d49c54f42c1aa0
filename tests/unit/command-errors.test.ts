import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { explain } from '#server/commands/command.ts'

test('prints the cause of a failed query, without the query and its values', () => {
  const query = new DrizzleQueryError('insert into post values ($1)', ['text'], new Error('disk full'))
  expect(explain(query)).toBe('The database refused a query: disk full')
  expect(explain(new Error('other'))).toBe('other')
})

test('names the file that cannot be used, and why', async () => {
  const failure = await readFile('/nowhere/site.backup').catch((error: unknown) => error)
  expect(explain(failure)).toBe('Cannot use /nowhere/site.backup: no such file or directory')
})

test.each(['run.mjs', 'build.mjs'])('%s names the Node.js that it needs, and stops', async (program) => {
  const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })"
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    `server/${program}`,
    'users',
    '--help',
  ]
  const failed = await promisify(execFile)(process.execPath, args).catch((error: unknown) => error)
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Node\.js 18\.20\.8 is too old: the site needs version 22 or newer\. .*\n$/),
  })
})

test('says in one line why a build cannot be written', async () => {
  const checkout = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  await mkdir(join(checkout, 'server'))
  for (const name of ['package.json', 'build', 'server/build.mjs', 'server/buildStore.mjs', 'server/nodeVersion.mjs'])
    await cp(name, join(checkout, name), { recursive: true })
  await symlink(resolve('node_modules'), join(checkout, 'node_modules'))
  await writeFile(join(checkout, 'dist'), 'a file')
  const failed = await promisify(execFile)(process.execPath, [join(checkout, 'server/build.mjs')]).catch(
    (error) => error,
  )
  const reason = 'not a directory. Build it as the user who owns this folder'
  expect(failed).toMatchObject({ code: 1, stderr: `Cannot build the site in ${join(checkout, 'dist')}: ${reason}\n` })
  await rm(checkout, { recursive: true })
})
