import type { Reply, Task } from './childProcesses.ts'
import { encodeImage, encodeThumbnail, hashStoredImage, ImageRejectedError } from './encodeImage.ts'
import { readHeader } from './imageHeader.ts'
import { renderCard } from './previewCard.ts'
import { drawSiteImage } from './siteImage.ts'

/** Returns whether an error is a bug or a lack of memory. A broken file causes other errors. */
const isServerFault = (error: unknown) =>
  !(error instanceof Error) ||
  error.name !== 'Error' ||
  /out of memory|unable to allocate|alloc.*fail|^Expected /i.test(error.message)

function refusalOf(error: unknown, { bytes }: Task): Reply['outcome'] {
  if (error instanceof ImageRejectedError) return { refusal: error.refusal, cause: error.message }
  if (isServerFault(error)) return { fault: error }
  const isWhole = readHeader(Buffer.from(bytes))?.isWhole ?? true
  return { refusal: isWhole ? 'type' : 'incomplete', cause: (error as Error).message }
}

function run(task: Task) {
  const bytes = Buffer.from(task.bytes)
  if (task.kind === 'card') {
    const { card, logo, background } = task
    return renderCard(card, {
      picture: bytes.length > 0 ? bytes : null,
      logo: logo && Buffer.from(logo),
      background: background && Buffer.from(background),
    })
  }
  if (task.kind === 'site') return drawSiteImage(bytes, task.use)
  if (task.kind === 'hash') return hashStoredImage(bytes, task)
  return task.kind === 'image' ? encodeImage(bytes, task) : encodeThumbnail(bytes, task)
}

// Sending fails only after the parent has ended. The `disconnect` listener handles that case.
const send = (message: Reply | 'ready') => process.send?.(message, () => {})

process.on('message', async (task: Task) => {
  const outcome: Reply['outcome'] = await run(task).then(
    (result) => ({ result }),
    (error) => refusalOf(error, task),
  )
  send({ outcome, rss: process.memoryUsage.rss() })
})
// Ignore signals to the whole process group: the parent finishes its requests first, then kills this process.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
// process.exit() would wait until a running decoder ends.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
send('ready')
