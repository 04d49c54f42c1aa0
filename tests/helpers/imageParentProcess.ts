import { createImageProcessor } from '#server/core/media/imageProcessor.ts'
import { gifWithFrames, stillImage } from './sampleImages.ts'

/** Processes an image in a process of its own, which takes minutes for a slow one. Usage: `imageParentProcess.ts slow|quick` */
const limits = { processes: 1, pixelsAtOnce: 1e8, processMs: 60_000, queueMs: 60_000 }
const bytes = process.argv[2] === 'slow' ? gifWithFrames(300_000) : await stillImage().png().toBuffer()
const size = { width: 9, height: 9 }
await createImageProcessor({ limits }).process(bytes, { preview: size, display: size })
