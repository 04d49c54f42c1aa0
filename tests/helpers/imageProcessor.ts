import { afterAll } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { createImageProcessor, type ImageProcessor } from '#server/core/media/imageProcessor.ts'

type Log = NonNullable<Parameters<typeof createImageProcessor>[0]['log']>

/** Creates an image processor with the given settings, for one test file or one test. */
export function testProcessor(env: Record<string, string> = {}, log?: Log): ImageProcessor {
  const images = createImageProcessor({ limits: readConfig(env).limits.images, log })
  afterAll(images.close)
  return images
}
