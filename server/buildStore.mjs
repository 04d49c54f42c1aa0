// Every build has its own folder in `dist`. The link `dist/current` points to the latest build.
import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
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
const lock = join(dist, 'lock')
/** Older locks count as abandoned: their process id may now belong to another process. */
const LOCK_EXPIRES_MS = 10 * 60_000

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

/**
 * Waits until no other process is building. Two builds at once would only waste work.
 * @param {() => Promise<void>} build
 */
export async function withLock(build) {
  mkdirSync(dist, { recursive: true })
  while (!tryLock()) await sleep(200)
  try {
    await build()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Uses a link as the lock: one atomic call creates the link and stores the process id in it. */
function tryLock() {
  try {
    symlinkSync(String(process.pid), lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = lstatSync(lock, { throwIfNoEntry: false })
  if (holder && (Date.now() - holder.mtimeMs > LOCK_EXPIRES_MS || !isRunning(readlinkSync(lock)))) {
    rmSync(lock, { force: true })
  }
  return false
}

/** Deletes builds that no running process has marked. @param {string[]} kept folders that are never deleted */
export function removeUnused(kept) {
  for (const name of readdirSync(dist)) {
    const folder = join(dist, name)
    if (!name.startsWith('build-') || kept.includes(folder)) continue
    const users = readdirSync(folder).filter((file) => file.endsWith('.pid'))
    if (!users.some((file) => isRunning(file.slice(0, -'.pid'.length))))
      rmSync(folder, { recursive: true, force: true })
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
