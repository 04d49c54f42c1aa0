import { readdirSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { findOrInstall, findProgram } from './debianPackages.ts'

export type WebKitPrograms = { driver: string; browser: string; display: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** path of Firefox; null if it cannot be installed */
    firefox: string | null
    /** paths of WebKitGTK's driver, its small browser, and Xvfb; null if they cannot be installed */
    webkit: WebKitPrograms | null
  }
}

/** Finds or installs Firefox and WebKitGTK. If this fails, the tests in that engine are skipped. */
export default function setup(project: TestProject): void {
  const firefox = findOrInstall(findFirefox, ['firefox-esr'])
  if (!firefox) process.stderr.write('Skipping the tests in Firefox: firefox-esr cannot be found or installed\n')
  project.provide('firefox', firefox)

  const webkit = findOrInstall(findWebKit, ['webkit2gtk-driver', 'xvfb'])
  if (!webkit) {
    process.stderr.write('Skipping the tests in WebKit: webkit2gtk-driver and xvfb cannot be found or installed\n')
  }
  project.provide('webkit', webkit)
}

const findFirefox = () => findProgram('firefox-esr') ?? findProgram('firefox') ?? null

function findWebKit(): WebKitPrograms | null {
  const [driver, display] = ['WebKitWebDriver', 'Xvfb'].map(findProgram)
  const browser = findMiniBrowser()
  return driver && display && browser ? { driver, display, browser } : null
}

/** Returns the path of WebKitGTK's small browser, which is in a folder of the architecture and version. */
function findMiniBrowser(): string | undefined {
  const libraries = '/usr/lib'
  return list(libraries)
    .filter((name) => name.endsWith('-linux-gnu'))
    .flatMap((name) => list(`${libraries}/${name}`).map((folder) => `${libraries}/${name}/${folder}`))
    .filter((folder) => /\/webkit2gtk-4\.[01]$/.test(folder))
    .flatMap((folder) => list(folder).map((file) => `${folder}/${file}`))
    .find((file) => file.endsWith('/MiniBrowser'))
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
