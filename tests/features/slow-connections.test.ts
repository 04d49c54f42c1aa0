import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { runNode } from '#tests/helpers/siteProcess.ts'

const PRINT_LIMIT = `data:text/javascript,
  import { getDefaultAutoSelectFamilyAttemptTimeout as limit } from 'node:net';
  process.on('exit', () => console.log('limit: ' + limit()))`

test.each([
  // The wrong setting ends the site before it opens its database.
  ['the site', ['main.mjs'], { PORT: 'wrong' }],
  ['a command', ['users.mjs', '--help'], {}],
])('waits two seconds for each address of a host, in %s', async (_name, [program, ...args], env) => {
  const command = ['--import', PRINT_LIMIT, `dist/current/site/${program}`, ...args]
  const { output } = await runNode({ dataDir: tmpdir() }, command, '', env)
  expect(output).toMatch(/^limit: 2000$/m)
})
