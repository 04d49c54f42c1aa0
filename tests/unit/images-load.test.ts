import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { createSemaphore } from '#server/core/limits/semaphore.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import { gifWithFrames, jpegWithScans, stillImage } from '#tests/helpers/sampleImages.ts'
import { programArgs } from '#tests/setup/bundledChildren.ts'

const places = { preview: { width: 40, height: 20 }, display: { width: 100, height: 50 } }
const busy = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'Too many images are being processed. Please try again in a moment.',
  retryAfter: 5,
}
const tooSlow = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'This image takes too long to process. Please try again, or choose a simpler one.',
}
/** An animation that takes minutes to encode. */
const slow = gifWithFrames(300_000)

/** Returns the ids of all image processes that `parent` started. */
function processesOf(parent = process.pid): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return rows.flatMap((row) => {
    const [, pid, ppid, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []
    return Number(ppid) === parent && args.includes('image.child') ? Number(pid) : []
  })
}
const none = () => expect.poll(() => processesOf()).toEqual([])

describe('scans', () => {
  it('accepts a JPEG with 100 scans and rejects one with 101', async () => {
    const images = testProcessor()
    expect(await images.process(jpegWithScans(100), places)).toMatchObject({ width: 8, height: 8 })
    await expect(images.process(jpegWithScans(101), places)).rejects.toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      message: 'This JPEG has too many scans. Please save it again as a normal JPEG.',
    })
    images.close()
  })

  it('rejects 48,000 scans before decoding', async () => {
    const images = testProcessor()
    await none()
    await expect(images.process(jpegWithScans(48_000), places)).rejects.toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
    })
    expect(processesOf()).toEqual([])
  })
})

describe('image deadlines', () => {
  it.runIf(isDeep)('kills a decoder at the deadline and processes the next image', async () => {
    const images = testProcessor({ IMAGE_SECONDS: '2', IMAGE_PROCESSES: '1' })
    await none()
    const refused = expect(images.process(slow, places)).rejects.toMatchObject(tooSlow)
    const next = images.process(await stillImage().png().toBuffer(), places)
    await refused
    expect(await next).toMatchObject({ format: 'png' })
    expect(processesOf()).toHaveLength(1)
    images.close()
  })

  it('rejects an image after the queue timeout and frees its slot', async () => {
    const images = testProcessor({ IMAGE_SECONDS: '3', IMAGE_QUEUE_SECONDS: '1', IMAGE_PROCESSES: '1' })
    const png = await stillImage().png().toBuffer()
    const first = expect(images.process(slow, places)).rejects.toMatchObject(tooSlow)
    await expect(images.process(png, places)).rejects.toMatchObject(busy)
    await first
    expect(await images.process(png, places)).toMatchObject({ format: 'png' })
    images.close()
  })

  it.runIf(isDeep)('rejects an image when the queue is full', async () => {
    const images = testProcessor()
    const bytes = await stillImage(400, 400).png().toBuffer()
    const results = await Promise.allSettled(Array.from({ length: 67 }, () => images.process(bytes, places)))
    expect(results.map(({ status }) => status)).toEqual([...Array(66).fill('fulfilled'), 'rejected'])
    expect(results.at(-1)).toMatchObject({ reason: busy })
    expect(processesOf().length).toBeLessThanOrEqual(2)
    images.close()
  })
})

describe('images of a network', () => {
  it('wait for its slow image, while images of other networks are processed', async () => {
    const images = testProcessor({ IMAGE_SECONDS: '600', IMAGE_QUEUE_SECONDS: '600' })
    await none()
    const png = await stillImage().png().toBuffer()
    const finished: string[] = []
    const process = (bytes: Uint8Array, network: string) =>
      images.process(bytes, places, network).finally(() => finished.push(network))
    const first = expect(process(slow, '192.0.2.1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const next = Array.from({ length: 16 }, () => process(png, '192.0.2.1'))
    await expect(images.process(png, places, '192.0.2.1')).rejects.toMatchObject(busy)
    await process(png, '198.51.100.1')
    await process(png, '198.51.100.2')
    expect(finished).toEqual(['198.51.100.1', '198.51.100.2'])
    // Kills the processes, also that of the slow image.
    images.close()
    await first
    await Promise.allSettled(next)
    images.close()
  })
})

describe('image failures', () => {
  it('responds with 503, logs the cause and starts a new process after a crash', async () => {
    const error = vi.fn()
    const images = testProcessor({}, { info: vi.fn(), warn: vi.fn(), error })
    await none()
    const crash = expect(images.process(slow, places)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is not available right now. Please try again in a moment.',
    })
    await expect.poll(() => processesOf().length).toBe(1)
    process.kill(processesOf()[0] ?? 0, 'SIGSEGV')
    await crash
    expect(error).toHaveBeenCalledExactlyOnceWith(
      { err: expect.objectContaining({ message: 'the image process exited with SIGSEGV' }) },
      'processing an image failed',
    )
    expect(await images.process(await stillImage().png().toBuffer(), places)).toMatchObject({ format: 'png' })
    images.close()
  })

  it('logs why an image is rejected', async () => {
    const info = vi.fn()
    const images = testProcessor({}, { info, warn: vi.fn(), error: vi.fn() })
    const broken = (await stillImage().png().toBuffer()).subarray(0, -20)
    await expect(images.process(broken, places)).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
    expect(info).toHaveBeenCalledExactlyOnceWith(
      { refusal: 'incomplete', cause: expect.stringContaining('libpng read error') },
      'an image was rejected',
    )
    images.close()
  })
})

describe('image processes', () => {
  const start = (kind: string) =>
    spawn(process.execPath, [...programArgs('imageParentProcess'), kind], { stdio: 'inherit' })

  it('exit when the parent is killed', async () => {
    const parent = start('slow')
    await expect.poll(() => processesOf(parent.pid).length).toBe(1)
    const [child = 0] = processesOf(parent.pid)
    parent.kill('SIGKILL')
    const isRunning = (pid: number) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await expect.poll(() => isRunning(child)).toBe(false)
  })

  it('do not keep an idle parent alive', async () => {
    expect(await once(start('quick'), 'exit')).toEqual([0, null])
  })

  it('get an empty environment', async () => {
    const images = testProcessor()
    await none()
    await images.process(await stillImage().png().toBuffer(), places)
    const [pid] = processesOf()
    const shown = execFileSync('ps', ['e', '-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    expect(shown).toContain('MALLOC_ARENA_MAX=2')
    expect(shown).not.toContain('PATH=')
    images.close()
  })
})

describe('semaphore with a budget', () => {
  it('runs tasks while they fit the budget, and an oversized task by itself', async () => {
    const semaphore = createSemaphore({ running: 9, waiting: 9, budget: 100, onFull: () => new Error('full') })
    const running = new Set<string>()
    const ends = new Map<string, () => void>()
    const start = (name: string, cost: number) =>
      semaphore.run(
        async () => {
          running.add(name)
          await new Promise<void>((resolve) => ends.set(name, resolve))
          running.delete(name)
        },
        { cost },
      )
    const all = [start('a', 40), start('b', 60), start('c', 500), start('d', 1)]
    const finish = async (name: string, index: number) => {
      ends.get(name)?.()
      await all[index]
    }
    await Promise.resolve()
    expect([...running]).toEqual(['a', 'b'])
    await finish('a', 0)
    expect([...running]).toEqual(['b'])
    await finish('b', 1)
    expect([...running]).toEqual(['c'])
    await finish('c', 2)
    expect([...running]).toEqual(['d'])
    await finish('d', 3)
  })
})
