import type { Reply, Task } from './childProcesses.ts'
import { encodeImage, encodeThumbnail, ImageRejectedError } from './encodeImage.ts'

/** Distinguishes bugs and lack of memory from errors that a broken file causes. */
const isServerFault = (error: unknown) =>
  !(error instanceof Error) ||
  error.name !== 'Error' ||
  /out of memory|unable to allocate|alloc.*fail|^Expected /i.test(error.message)

function refusalOf(error: unknown): Reply['outcome'] {
  if (error instanceof ImageRejectedError) return { refusal: error.refusal, cause: error.message }
  return isServerFault(error) ? { fault: error } : { refusal: 'type', cause: (error as Error).message }
}

const run = (task: Task) =>
  task.kind === 'image' ? encodeImage(Buffer.from(task.bytes), task) : encodeThumbnail(Buffer.from(task.bytes), task)

// Sending fails only after the parent has ended; `disconnect` handles that.
const send = (message: Reply | 'ready') => process.send?.(message, () => {})

process.on('message', async (task: Task) => {
  const outcome = await run(task).then((result) => ({ result }), refusalOf)
  send({ outcome, rss: process.memoryUsage.rss() })
})
// A supervisor may signal the whole process group. The parent finishes its requests first, then kills this process.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
// process.exit() would wait for a running decoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
send('ready')
