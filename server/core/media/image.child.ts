import { encodeImage, encodeThumbnail, ImageRefused } from './encodeImage.ts'
import type { Reply, Task } from './messages.ts'

/** Errors of ours, or of the machine, among what the decoder throws; anything else is the file's fault. */
const isFault = (error: unknown) =>
  !(error instanceof Error) ||
  error.name !== 'Error' ||
  /out of memory|unable to allocate|alloc.*fail|^Expected /i.test(error.message)

function refusalOf(error: unknown): Reply['outcome'] {
  if (error instanceof ImageRefused) return { refusal: error.refusal, cause: error.message }
  return isFault(error) ? { fault: error } : { refusal: 'type', cause: (error as Error).message }
}

const run = (task: Task) =>
  task.kind === 'image' ? encodeImage(Buffer.from(task.bytes), task) : encodeThumbnail(Buffer.from(task.bytes), task)

// An error means that the parent is gone: then this process ends anyway.
const send = (message: Reply | 'ready') => process.send?.(message, () => {})

process.on('message', async (task: Task) => {
  const outcome = await run(task).then((result) => ({ result }), refusalOf)
  send({ outcome, rss: process.memoryUsage.rss() })
})
// A supervisor may signal all processes of the site. The parent finishes its requests first, and then ends this one.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
// The parent is gone. process.exit() would wait for a decoder that is still running.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
send('ready')
