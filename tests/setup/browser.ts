import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** path of a Chromium; without windows if there is one, because its pages take a quarter less processor time */
    browser: string
    /** path of a Chromium with everything that visitors' browsers have, such as notifications */
    wholeBrowser: string
  }
}

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const COMMON_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Finds an installed Chromium, or installs one with Playwright or the system's package manager. */
export default function setup(project: TestProject): void {
  const path = findBrowser()
  project.provide('wholeBrowser', path)
  project.provide('browser', !process.env.CHROMIUM && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : path)
}

/**
 * Returns the path of Chromium. Installs it if necessary.
 * @throws Error if that fails
 */
export function findBrowser(): string {
  const path = findInstalled() ?? installWithPlaywright() ?? installPackage()
  if (!path) throw new Error('Cannot find or install Chromium. Set CHROMIUM to the path of one.')
  return path
}

const findInstalled = () => [process.env.CHROMIUM ?? '', ...COMMON_PATHS].find((path) => path && existsSync(path))

function installWithPlaywright(): string | undefined {
  const path = chromium.executablePath()
  for (const options of [['--with-deps'], []]) {
    // Only root can install the libraries, and most desktops have them.
    if (!existsSync(path)) attempt('npx', ['playwright', 'install', ...options, 'chromium'])
  }
  return existsSync(path) ? path : undefined
}

function installPackage(): string | undefined {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const run = (...command: string[]) => attempt([...prefix, ...command][0] ?? '', [...prefix, ...command].slice(1))
  if (existsSync('/usr/bin/apt-get')) {
    run('apt-get', 'update', '-qq')
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation')
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell')
  } else if (existsSync('/sbin/apk')) {
    run('apk', 'add', 'chromium', 'font-liberation')
  } else if (existsSync('/usr/bin/dnf')) {
    run('dnf', 'install', '-y', 'chromium')
  }
  return findInstalled()
}

/** Runs a command and ignores failures, because the caller checks the result. */
function attempt(command: string, args: string[]): void {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 8 * 60_000 })
  } catch {
    // the caller tries the next way to install
  }
}
