import { statfs } from 'node:fs/promises'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import type { Config } from '#server/core/config/config.ts'

/** Free space kept for the embedded database, which stops when it cannot write its log. */
export const RESERVE_BYTES = 128 * 1024 * 1024
/** cache time in ms, so short that uploads cannot fill the reserve meanwhile */
const CACHE_MS = 250

/** Whether the site rejects writes. A database server has its own disk. @param free bytes */
export const rejectsWrites = ({ databaseUrl }: Pick<Config, 'databaseUrl'>, free: number): boolean =>
  databaseUrl === undefined && free < RESERVE_BYTES

/** Creates a cached reader of the free bytes on a folder's disk. Returns infinity if the system does not report them. */
export const createFreeSpaceReader = (folder: string): (() => Promise<number>) =>
  cacheFor(CACHE_MS, () =>
    statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.POSITIVE_INFINITY,
    ),
  )
