import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** path of Caddy; null if it cannot be downloaded */
    caddy: string | null
  }
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/caddy', import.meta.url))
const DOWNLOADED = join(CACHE, 'usr/bin/caddy')
const TIMEOUT_MS = 2 * 60_000

/** Finds Caddy, or unpacks Debian's package without installing it: an installed one would start a web server. */
export default function setup(project: TestProject): void {
  const installed = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'caddy'))
  const found = [...installed, DOWNLOADED].find((path) => existsSync(path)) ?? download()
  if (!found) process.stderr.write('Skipping the test of the Caddyfile: Caddy cannot be found or downloaded\n')
  project.provide('caddy', found)
}

function download(): string | null {
  try {
    mkdirSync(CACHE, { recursive: true })
    execFileSync('apt-get', ['-qq', 'download', 'caddy'], { cwd: CACHE, stdio: 'ignore', timeout: TIMEOUT_MS })
    const archive = readdirSync(CACHE).find((name) => name.endsWith('.deb')) ?? ''
    execFileSync('dpkg-deb', ['-x', archive, '.'], { cwd: CACHE, stdio: 'ignore', timeout: TIMEOUT_MS })
  } catch {
    // The missing program is reported below.
  }
  return existsSync(DOWNLOADED) ? DOWNLOADED : null
}
