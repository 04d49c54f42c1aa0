import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const PRINT_LIMIT = `data:text/javascript,
  import { getDefaultAutoSelectFamilyAttemptTimeout as limit } from 'node:net';
  process.on('exit', () => console.log('limit: ' + limit()))`

test.each([
  // The wrong setting ends the site before it opens its database.
  ['the site', ['server/main.ts'], { PORT: 'wrong' }],
  ['a command', ['server/commands/users.ts', '--help'], {}],
])('waits two seconds for each address of a host, in %s', (_name, program, env) => {
  const args = ['--import', 'tsx', '--import', PRINT_LIMIT, ...program]
  const { stdout } = spawnSync(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' })
  expect(stdout).toMatch(/^limit: 2000$/m)
})
