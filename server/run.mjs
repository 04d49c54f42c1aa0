// Runs a built program: `main` or an operator's command. If the sources are newer, only `main` rebuilds, because a
// command must not replace the build of the running site.
import './nodeVersion.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { current, isMissing, isStale, root } from './buildStore.mjs'

const [node, , program, ...args] = process.argv

if (program === 'main' ? isStale() : isMissing()) await build(program === 'main' ? '--if-stale' : '--if-missing')
else if (isStale()) process.stderr.write('The sources are newer than this build: npm start builds them\n')
process.argv = [node, program, ...args]
await import(pathToFileURL(join(current, 'site', `${program}.mjs`)).href)

/**
 * Builds in a child process, to free its memory afterwards. Signals that stop this process also stop the child.
 * @param {string} condition
 */
async function build(condition) {
  process.stderr.write('Building the site, this takes some seconds...\n')
  const child = spawn(process.execPath, [join(root, 'server', 'build.mjs'), condition], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, stop)
  const [code, signal] = await once(child, 'exit')
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.off(name, stop)
  if (signal) process.kill(process.pid, signal)
  else if (code !== 0) process.exit(code)
}
