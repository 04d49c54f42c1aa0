import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Outcome, Reply, Task } from './messages.ts'

/** An image process did not answer in time, and was killed. */
export class TooSlow extends Error {}

export type ImageProcesses = {
  /**
   * Runs a task in a process of its own.
   * @throws TooSlow; any other error is a fault, such as a process that crashed
   */
  run(task: Task, ms: number): Promise<Outcome>
  /** kills every process, also those at work */
  close(): void
}

const START_MS = 30_000
/** A process that holds more afterwards is replaced: allocators return little of what a large image took. */
const KEPT_RSS_BYTES = 200 * 1024 * 1024

type Worker = { child: ChildProcess; ready: Promise<unknown>; idleTimer?: NodeJS.Timeout }

/**
 * Runs images in processes of their own: a decoder that takes too long can only be ended with its process, a crash takes
 * nothing else with it, and memory is returned when the process ends. The caller bounds how many run at once.
 * @param idleMs an unused process ends after this time
 */
export function createImageProcesses({ idleMs }: { idleMs: number }): ImageProcesses {
  const all = new Set<ChildProcess>()
  const idle: Worker[] = []

  function start(): Worker {
    const child = forkChild()
    const ready = answer(child, START_MS)
    ready.catch(() => {})
    const worker: Worker = { child, ready }
    all.add(child)
    child.once('exit', () => forget(worker))
    // Without an id it never started, and there will be no exit. Whoever waits for an answer hears of errors itself.
    child.on('error', () => child.pid === undefined && forget(worker))
    return worker
  }

  function forget(worker: Worker): void {
    clearTimeout(worker.idleTimer)
    all.delete(worker.child)
    const index = idle.indexOf(worker)
    if (index >= 0) idle.splice(index, 1)
  }

  function take(): Worker {
    const worker = idle.pop()
    if (!worker) return start()
    clearTimeout(worker.idleTimer)
    worker.child.ref()
    worker.child.channel?.ref()
    return worker
  }

  /** Keeps a process warm; it holds up neither the end of this process nor a later start of another. */
  function keep(worker: Worker): void {
    worker.child.unref()
    worker.child.channel?.unref()
    worker.idleTimer = setTimeout(() => end(worker), idleMs).unref()
    idle.push(worker)
  }

  /** Kills a process, and waits until its memory is free again. */
  async function end(worker: Worker): Promise<void> {
    const { child } = worker
    if (!all.has(child)) return
    const exit = once(child, 'exit').catch(() => {})
    forget(worker)
    child.kill('SIGKILL')
    await exit
  }

  return {
    async run(task, ms) {
      const worker = take()
      try {
        await worker.ready
        worker.child.send(task)
        const { outcome, rss } = (await answer(worker.child, ms)) as Reply
        if (rss > KEPT_RSS_BYTES || 'fault' in outcome) await end(worker)
        else keep(worker)
        return outcome
      } catch (error) {
        await end(worker)
        throw error
      }
    },
    close() {
      for (const child of all) child.kill('SIGKILL')
    },
  }
}

/** Resolves with the next message of a process; rejects when it ends, or takes longer than `ms`. */
function answer(child: ChildProcess, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      stop()
      reject(error)
    }
    const onMessage = (message: unknown) => {
      stop()
      resolve(message)
    }
    const onExit = (code: number | null, signal: string | null) =>
      fail(new Error(`the image process ended with ${signal ?? code}`))
    const timer = setTimeout(() => fail(new TooSlow(`no answer within ${ms} ms`)), ms)
    const stop = () => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', fail)
    }
    child.on('message', onMessage).on('exit', onExit).on('error', fail)
  })
}

/** Starts the process with an empty environment: what decodes strangers' files knows none of the site's secrets. */
function forkChild(): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts')
  return fork(new URL(isSource ? './image.child.ts' : './image.child.mjs', import.meta.url), {
    // glibc gives each thread an arena of its own otherwise, and memory climbs with every image.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: isSource ? ['--import', 'tsx'] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
