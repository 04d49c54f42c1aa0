import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** path of the browser the tests drive */
    browser: string
  }
}

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Finds a Chromium: an installed one, else Playwright's, else the system's package manager brings one. */
export default function setup(project: TestProject): void {
  const found = installed() ?? playwrights() ?? packaged()
  if (!found) throw new Error('No Chromium found and none could be installed: set CHROMIUM to the path of one')
  project.provide('browser', found)
}

const installed = () => [process.env.CHROMIUM ?? '', ...INSTALLED].find((path) => path && existsSync(path))

function playwrights(): string | undefined {
  const path = chromium.executablePath()
  if (!existsSync(path)) attempt('npx', ['playwright', 'install', '--with-deps', 'chromium'])
  return existsSync(path) ? path : undefined
}

function packaged(): string | undefined {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const run = (...command: string[]) => attempt([...prefix, ...command][0] ?? '', [...prefix, ...command].slice(1))
  if (existsSync('/usr/bin/apt-get')) {
    run('apt-get', 'update', '-qq')
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation')
  } else if (existsSync('/sbin/apk')) {
    run('apk', 'add', 'chromium', 'font-liberation')
  } else if (existsSync('/usr/bin/dnf')) {
    run('dnf', 'install', '-y', 'chromium')
  }
  return installed()
}

/** What fails here is seen by the next way of finding one. */
function attempt(command: string, args: string[]): void {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 8 * 60_000 })
  } catch {
    // The next way is tried.
  }
}
