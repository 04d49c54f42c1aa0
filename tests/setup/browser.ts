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

/** The same browser without windows and what belongs to them: a third of the time of a test goes with these. */
const SHELL = '/usr/bin/chromium-headless-shell'
const INSTALLED = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Finds a Chromium: an installed one, else Playwright's, else the system's package manager brings one. */
export default function setup(project: TestProject): void {
  if (!process.env.CHROMIUM && !existsSync(SHELL)) packagedShell()
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

/** Where Debian has it; without it the tests only take longer, so it is not waited for long. */
function packagedShell(): void {
  if (existsSync('/etc/debian_version')) install(['chromium-headless-shell', 'fonts-liberation'], 120_000)
}

function packaged(): string | undefined {
  if (existsSync('/usr/bin/apt-get')) install(['chromium', 'fonts-liberation'])
  else if (existsSync('/sbin/apk')) asRoot(['apk', 'add', 'chromium', 'font-liberation'])
  else if (existsSync('/usr/bin/dnf')) asRoot(['dnf', 'install', '-y', 'chromium'])
  return installed()
}

function install(packages: string[], timeout?: number): void {
  asRoot(['apt-get', 'update', '-qq'], timeout)
  asRoot(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages], timeout)
}

function asRoot(command: string[], timeout?: number): void {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command]
  attempt(program, args, timeout)
}

/** What fails here is seen by the next way of finding one. */
function attempt(command: string, args: string[], timeout = 8 * 60_000): void {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout })
  } catch {
    // The next way is tried.
  }
}
