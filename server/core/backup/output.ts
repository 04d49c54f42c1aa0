import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'

/**
 * Has a file written that is there wholly or not at all, for its owner alone.
 * @throws Error when there is one already, unless `force`
 */
export async function writeWhole(
  path: string,
  { force }: { force: boolean },
  write: (out: Writable) => Promise<void>,
): Promise<void> {
  const target = resolve(path)
  const partial = `${target}.partial`
  const existing = await ifThere(target)
  if (existing && !existing.isFile()) throw new Error(`${target} is not an ordinary file`)
  if (existing && !force) throw new Error(`${target} exists already: --force overwrites it`)
  // Of one that was killed.
  await rm(partial, { force: true })
  const file = await open(partial, 'wx', 0o600)
  try {
    // By its number: a stream that has the handle itself would keep it from being closed.
    await write(createWriteStream(partial, { fd: file.fd, autoClose: false }))
    await file.sync()
    if (!(await isStill(partial, file))) throw new Error(`Another backup to ${target} began meanwhile`)
    await rename(partial, target)
  } catch (error) {
    if (await isStill(partial, file)) await rm(partial, { force: true })
    throw error
  } finally {
    await file.close()
  }
  const folder = await open(dirname(target), 'r')
  await folder.sync().finally(() => folder.close())
}

async function isStill(path: string, file: FileHandle): Promise<boolean> {
  return (await ifThere(path))?.ino === (await file.stat()).ino
}

async function ifThere(path: string) {
  return stat(path).catch((error) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
