import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { withTimeout } from '#db/withTimeout.server.ts'
import type { Encoded } from './codec.ts'
import type { EncodedImage, ImageSizes, RejectionReason } from './encodeImage.ts'
import type { ImageFormat } from './imageHeader.ts'
import { imageProgram } from './imageProgram.ts'
import type { Card } from './previewCard.ts'
import type { DrawnSiteImages, SiteImageUse } from './siteImage.ts'

export type Task = { bytes: Uint8Array; format: ImageFormat; pixels: number } & (
  | { kind: 'image'; sizes: ImageSizes }
  | { kind: 'thumbnail'; side: number }
  | { kind: 'hash' }
  // The bytes are the picture on the card, or empty.
  | { kind: 'card'; card: Card; logo: Uint8Array | null; background: Uint8Array | null }
  | { kind: 'site'; use: SiteImageUse }
)

export type Outcome =
  | { result: EncodedImage | Encoded | Buffer | DrawnSiteImages[SiteImageUse] | null }
  | { refusal: RejectionReason; cause: string }
  | { fault: unknown }

export type Reply = {
  outcome: Outcome
  /** resident memory of the process after the task, in bytes */
  rss: number
}

export class ImageTimeoutError extends Error {}

const START_MS = 30_000
/** An idle process ends after this time. */
const IDLE_MS = 20_000
/** Limits idle memory: after a task, a larger process is replaced, because it returns little memory to the system. */
const MAX_IDLE_RSS_BYTES = 200 * 1024 * 1024

type Worker = { child: ChildProcess; ready: Promise<unknown>; idleTimer?: NodeJS.Timeout }

/** Decodes images in child processes, because a slow decoder stops only if its process is killed. */
export function createImageProcesses() {
  const all = new Set<ChildProcess>()
  const idle: Worker[] = []

  function start(): Worker {
    const child = forkChild()
    const ready = nextMessage(child, START_MS)
    ready.catch(() => {})
    const worker: Worker = { child, ready }
    all.add(child)
    child.once('exit', () => remove(worker))
    // A process that failed to start has no pid and never emits `exit`.
    child.on('error', () => child.pid === undefined && remove(worker))
    return worker
  }

  function remove(worker: Worker): void {
    clearTimeout(worker.idleTimer)
    all.delete(worker.child)
    const index = idle.indexOf(worker)
    if (index >= 0) idle.splice(index, 1)
  }

  function acquire(): Worker {
    const worker = idle.pop()
    if (!worker) return start()
    clearTimeout(worker.idleTimer)
    worker.child.ref()
    worker.child.channel?.ref()
    return worker
  }

  /** Returns a process to the pool. An idle process does not keep its parent alive. */
  function release(worker: Worker): void {
    worker.child.unref()
    worker.child.channel?.unref()
    worker.idleTimer = setTimeout(() => kill(worker), IDLE_MS).unref()
    idle.push(worker)
  }

  /** Kills a process and waits until its memory is free. */
  async function kill(worker: Worker): Promise<void> {
    const { child } = worker
    if (!all.has(child)) return
    const exit = once(child, 'exit').catch(() => {})
    remove(worker)
    child.kill('SIGKILL')
    await exit
  }

  return {
    /** @throws ImageTimeoutError after `ms`, or Error if the process crashed */
    async run(task: Task, ms: number): Promise<Outcome> {
      const worker = acquire()
      try {
        await worker.ready
        worker.child.send(task)
        const { outcome, rss } = (await nextMessage(worker.child, ms)) as Reply
        if (rss > MAX_IDLE_RSS_BYTES || 'fault' in outcome) await kill(worker)
        else release(worker)
        return outcome
      } catch (error) {
        await kill(worker)
        throw error
      }
    },
    close() {
      for (const child of all) child.kill('SIGKILL')
    },
  }
}

/** Resolves with the next message of a process. Rejects if the process ends or sends nothing for `ms`. */
async function nextMessage(child: ChildProcess, ms: number): Promise<unknown> {
  const settled = new AbortController()
  const options = { signal: settled.signal }
  const message = once(child, 'message', options)
  const exit = once(child, 'exit', options).then(([code, signal]) => {
    throw new Error(`the image process exited with ${signal ?? code}`)
  })
  const createError = () => new ImageTimeoutError(`no answer within ${ms} ms`)
  const [first] = await withTimeout(Promise.race([message, exit]), ms, { createError }).finally(() => settled.abort())
  return first
}

/** Forks with an empty environment: the child decodes untrusted files, so it must not see the site's secrets. */
function forkChild(): ChildProcess {
  return fork(imageProgram.url, {
    // Limits glibc's memory arenas: with one arena per thread, memory would grow with every image.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: imageProgram.execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
