import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasErrorCode } from '#db/errors.server.ts'
import { nullIfMissing } from '#db/fileSystem.server.ts'

const MARKER = 'dtp-export.json'
/** Increase the version when the files of an unchanged thread change: the next export then writes all files again. */
const FORMAT = JSON.stringify({ format: 'dtp-export', version: 1 })
const TEMPORARY = /^\..+\.tmp$/

export type ExportFolder = Awaited<ReturnType<typeof openExportFolder>>

const reasonOf = (error: unknown) =>
  hasErrorCode(error, 'ENOENT') ? 'the folder above it does not exist or takes no folders.' : String(error)

/** Opens or creates the folder of an export. @throws Error if the folder has files that are not of an export */
export async function openExportFolder(path: string) {
  const root = resolve(path)
  // Not recursive: a wrong path is refused instead of created.
  await mkdir(root).catch((error) => {
    if (!hasErrorCode(error, 'EEXIST')) throw new Error(`Cannot create the folder ${root}: ${reasonOf(error)}`)
  })
  if (!(await stat(root)).isDirectory()) throw new Error(`Cannot export to ${root}: it is no folder.`)
  const marker = await readFile(join(root, MARKER), 'utf8').catch(nullIfMissing)
  if (marker === null && (await readdir(root)).length > 0) {
    throw new Error(`Cannot export to ${root}: it is neither empty nor an export. Choose another folder.`)
  }
  const pathOf = (name: string) => join(root, name)

  /** Creates a file under its final name only when it is complete. */
  async function replace(name: string, create: (temporary: string) => Promise<void>): Promise<void> {
    const target = pathOf(name)
    const temporary = join(dirname(target), `.${randomUUID()}.tmp`)
    await mkdir(dirname(target), { recursive: true })
    try {
      await create(temporary)
      await rename(temporary, target)
    } finally {
      // `rename` leaves the file if both names already are links to it.
      await rm(temporary, { force: true })
    }
  }

  return {
    root,
    /** false if an earlier version of the site wrote the files */
    isCurrent: marker === null || marker === FORMAT,

    /** Marks a new folder as an export, before its first file is written. */
    begin: async () => {
      if (marker === null) await writeFile(pathOf(MARKER), FORMAT)
    },
    finish: () => replace(MARKER, (temporary) => writeFile(temporary, FORMAT)),

    has: async (name: string): Promise<boolean> => (await stat(pathOf(name)).catch(nullIfMissing)) !== null,

    /** Returns whether a file has this content. */
    contains: async (name: string, content: string): Promise<boolean> =>
      (await readFile(pathOf(name), 'utf8').catch(nullIfMissing)) === content,

    write: (name: string, content: string) => replace(name, (temporary) => writeFile(temporary, content)),

    copy: (name: string, content: Readable) =>
      replace(name, (temporary) => pipeline(content, createWriteStream(temporary))),

    /** Creates a hard link, or a copy on file systems without hard links. */
    alias: (name: string, other: string) =>
      replace(other, (temporary) =>
        link(pathOf(name), temporary).catch((error) => {
          if (!hasErrorCode(error, 'EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS')) throw error
          return copyFile(pathOf(name), temporary)
        }),
      ),

    remove: (name: string) => rm(pathOf(name), { recursive: true, force: true }),

    /** Lists the files or folders in a folder. Removes temporary files of interrupted exports. */
    async *list(folder: string, kind: 'file' | 'folder'): AsyncGenerator<string> {
      const entries = await opendir(pathOf(folder)).catch(nullIfMissing)
      if (!entries) return
      for await (const entry of entries) {
        if (TEMPORARY.test(entry.name)) await rm(join(root, folder, entry.name), { force: true })
        else if (kind === 'file' ? entry.isFile() : entry.isDirectory()) yield entry.name
      }
    },
  }
}
