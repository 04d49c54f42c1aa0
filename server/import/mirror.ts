import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { type Fetcher, FetchFailed, type ReadResponse } from '#server/core/http/fetcher.ts'
import { ImportError, type ReportProblem } from './types.ts'
import { asNumber, asObjects, isBoardName, isObject } from './values.ts'

const MAX_JSON_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000
/** pause between requests, as the rules of 4chan's API ask for */
const PAUSE_MS = 1000
/** waits after 429, 5xx or a lost connection; a Retry-After header can make them longer */
const WAITS_MS = [2000, 10_000, 30_000, 60_000]
const MAX_WAIT_MS = 10 * 60_000
const USER_AGENT = 'dtp-site import'

type PoliteOptions = { maxBytes: number; since?: Date }

let pauseMs = PAUSE_MS
let nextAt = 0

/** Shortens all waits, for tests with a server of their own. */
export function setPause(ms: number): void {
  pauseMs = ms
}

/**
 * Reads a URL of the old site, one request at a time.
 * @returns null if the resource is missing, or has not changed since `since`
 * @throws FetchFailed if the site refuses or keeps failing
 */
export async function readPolitely(
  fetcher: Fetcher,
  url: URL,
  { maxBytes, since }: PoliteOptions,
): Promise<ReadResponse | null> {
  for (let attempt = 0; ; attempt++) {
    await sleep(Math.max(0, nextAt - Date.now()))
    nextAt = Date.now() + pauseMs
    const answer = await fetcher
      .read(url, {
        headers: { 'user-agent': USER_AGENT, ...(since && { 'if-modified-since': since.toUTCString() }) },
        totalMs: TIMEOUT_MS,
        maxBytes,
        maxRedirects: 3,
        // The operator names the host, which may be in a private network. Redirects to other private hosts are refused.
        trusts: (target) => target.host === url.host,
      })
      .catch((error) => {
        if (error instanceof FetchFailed && error.message !== 'too large') return error
        throw error
      })
    const wait = WAITS_MS[attempt]
    if (answer instanceof FetchFailed) {
      if (wait === undefined) throw answer
      nextAt = Date.now() + (wait * pauseMs) / PAUSE_MS
      continue
    }
    const { status, headers } = answer
    if (status === 200) return answer
    if (status === 304 || status === 404 || status === 410) return null
    if (wait === undefined || (status !== 429 && status < 500)) throw new FetchFailed(`status ${status}`)
    const asked = Number(headers['retry-after'] ?? 0) * 1000
    nextAt =
      Date.now() + Math.min(MAX_WAIT_MS, Math.max((wait * pauseMs) / PAUSE_MS, Number.isFinite(asked) ? asked : 0))
  }
}

export type Mirror = {
  fetcher: Fetcher
  /** URL of the old site; its path ends with a slash */
  at: URL
  folder: string
  report: ReportProblem
  progress: (line: string) => void
}

export const openMirror = (mirror: Omit<Mirror, 'at'>, address: string): Mirror => {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new ImportError(`Cannot import: ${address} is not a URL`)
  const at = new URL(address)
  at.search = at.hash = ''
  if (!at.pathname.endsWith('/')) at.pathname += '/'
  return { ...mirror, at }
}

/** Reads JSON of the old site. Returns null if it is missing or is not JSON. */
export async function readRemoteJson({ fetcher, at }: Mirror, path: string): Promise<unknown> {
  const answer = await readPolitely(fetcher, new URL(path, at), { maxBytes: MAX_JSON_BYTES })
  try {
    return answer && JSON.parse(answer.bytes.toString())
  } catch {
    return null
  }
}

/** Copies a file of the old site into the mirror's folder. Asks only for a file that changed since the last copy. */
async function copyFile({ fetcher, at, folder }: Mirror, path: string): Promise<void> {
  const target = join(folder, path)
  const copied = await stat(target).catch(() => null)
  const url = new URL(path.split('/').map(encodeURIComponent).join('/'), at)
  const answer = await readPolitely(fetcher, url, { maxBytes: MAX_JSON_BYTES, since: copied?.mtime })
  if (!answer) return
  await mkdir(dirname(target), { recursive: true })
  await writeFile(`${target}.part`, answer.bytes)
  const modified = new Date(String(answer.headers['last-modified']))
  if (!Number.isNaN(modified.getTime())) await utimes(`${target}.part`, modified, modified)
  await rename(`${target}.part`, target)
}

/**
 * Copies the files of threads that are new or have changed, and deletes the copies of threads that the old site no longer
 * lists: a moderator can have deleted them. Asks for every thread: lists of vichan have only the time of
 * the last bump, which a later `sage` post does not change.
 */
export async function copyThreads(
  mirror: Mirror,
  board: string,
  kind: 'res' | 'thread',
  numbers: number[],
): Promise<void> {
  const folder = join(mirror.folder, board, kind)
  const listed = new Set(numbers.map((number) => `${number}.json`))
  for (const name of (await readdir(folder).catch(nullIfMissing)) ?? []) {
    if (!listed.has(name)) await rm(join(folder, name), { force: true })
  }
  for (const [index, number] of numbers.sort((a, b) => a - b).entries()) {
    mirror.progress(`/${board}/: thread ${index + 1} of ${numbers.length}`)
    await copyFile(mirror, `${board}/${kind}/${number}.json`).catch((error) => {
      if (!(error instanceof FetchFailed)) throw error
      mirror.report(`/${board}/${number}`, `thread left out: the old site failed: ${error.message}`)
    })
  }
}

/** Copies the boards and threads of vichan's API. @param wanted names of boards; all listed boards if empty */
export async function copyVichan(mirror: Mirror, wanted: string[]): Promise<void> {
  await mkdir(mirror.folder, { recursive: true })
  const listed = await readRemoteJson(mirror, 'boards.json')
  await writeFile(join(mirror.folder, 'boards.json'), JSON.stringify(listed))
  const named = asObjects(isObject(listed) ? listed.boards : listed).map(({ uri, board }) => String(uri ?? board))
  const boards = wanted.length > 0 ? wanted : named.filter(isBoardName)
  if (boards.length === 0)
    throw new ImportError(`Cannot import: ${mirror.at.href} has no boards.json. Name the boards after the URL`)
  for (const board of boards) {
    const path = `${encodeURIComponent(board)}/`
    const pages =
      (await readRemoteJson(mirror, `${path}threads.json`)) ?? (await readRemoteJson(mirror, `${path}catalog.json`))
    if (!Array.isArray(pages)) {
      mirror.report(`/${board}/`, 'board left out: the old site has no list of its threads')
      continue
    }
    const threads = asObjects(pages).flatMap((page) => asObjects(page.threads))
    await copyThreads(
      mirror,
      board,
      'res',
      threads.flatMap(({ no }) => asNumber(no) ?? []),
    )
  }
}
