// Every build has its own folder in `dist`. The link `dist/current` points to the latest build.
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const dist = join(root, 'dist')
export const current = join(dist, 'current')

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

/** The container has no sources, so its build is never missing or stale. */
export const isMissing = () => !existsSync(current) && hasSources()

/** Compares folders with the end of the build: its temporary files change the modification times of folders. */
export function isStale() {
  if (!hasSources()) return false
  const began = statSync(join(current, 'built'), { throwIfNoEntry: false })?.mtimeMs
  if (began === undefined) return true
  const ended = lstatSync(current).mtimeMs
  return SOURCES.some((name) => isNewer(join(root, name), began, ended))
}

const hasSources = () => existsSync(join(root, 'vite.config.ts'))

/**
 * @param {string} path
 * @param {number} began
 * @param {number} ended
 * @returns {boolean}
 */
function isNewer(path, began, ended) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat !== undefined && stat.mtimeMs > began
  return stat.mtimeMs > ended || readdirSync(path).some((name) => isNewer(join(path, name), began, ended))
}

/** Another process with the id of a builder that was killed must not hold up a build for longer. */
const MAX_BUILD_MS = 10 * 60_000

/** Waits until builds that began earlier are done, so that two starts at once build once. @param {string} folder */
export async function waitForEarlierBuilds(folder) {
  const isWritten = (/** @type {string} */ name) => {
    const builtAt = statSync(join(dist, name), { throwIfNoEntry: false })?.ctimeMs ?? 0
    return Date.now() - builtAt < MAX_BUILD_MS && isRunning(builderOf(name))
  }
  // In a container that starts again, this process can have the id of the builder that was killed.
  const isEarlier = (/** @type {string} */ name) => name < basename(folder) && builderOf(name) !== String(process.pid)
  const earlier = readdirSync(dist).filter((name) => name.startsWith('build-') && isEarlier(name))
  while (earlier.some(isWritten)) await sleep(200)
}

/** @param {string} name */
const builderOf = (name) => name.slice(name.lastIndexOf('-') + 1)

/**
 * Deletes builds that no running process writes or has marked.
 * @param {string[]} kept folders that are never deleted
 */
export function removeUnused(kept) {
  for (const name of readdirSync(dist)) {
    const folder = join(dist, name)
    if (!name.startsWith('build-') || kept.includes(folder)) continue
    try {
      const marks = readdirSync(folder).filter((file) => file.endsWith('.pid'))
      const users = marks.map((file) => file.slice(0, -'.pid'.length))
      if (![builderOf(name), ...users].some(isRunning)) rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      // Another build deletes it, too.
      if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY') throw error
    }
  }
}

/** @param {string} pid */
function isRunning(pid) {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
