// Runs a built program of this site (`main`, or an operator's command), building first when sources are newer.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = [
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'build',
  'db',
  'pages',
  'public',
  'server',
  'src',
]
const [, , program, ...args] = process.argv

process.env.NODE_ENV ??= 'production'
if (isStale()) {
  process.stderr.write('Building the site, this takes some seconds...\n')
  execFileSync(process.execPath, [join(root, 'server', 'build.mjs')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
process.argv = [process.argv[0], program, ...args]
await import(pathToFileURL(join(root, 'dist', 'site', `${program}.mjs`)).href)

/** Where there is nothing to build from, as in the container, what is built is what runs. */
function isStale() {
  if (!existsSync(join(root, 'vite.config.ts'))) return false
  const built = join(root, 'dist', 'built')
  return !existsSync(built) || SOURCES.some((name) => newest(join(root, name)) > statSync(built).mtimeMs)
}

function newest(path) {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
