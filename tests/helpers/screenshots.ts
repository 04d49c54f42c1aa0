import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright'
import sharp, { type Sharp } from 'sharp'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const REFERENCES = join(ROOT, 'docs', 'screenshots')
/** Git ignores this folder. */
const RESULTS = join(ROOT, 'test-results')
const UPDATE = 'UPDATE_SCREENSHOTS=1 TEST_DEPTH=deep npx vitest run --project e2e tests/e2e/deep/screenshots.test.ts'

/**
 * Screenshots are compared at a third of their size: anti-aliasing averages out, shifts and colours remain. Measured with
 * the limits below: sharper text or a shift by 0.3 px differs in 0 % of the pixels, a shift by 1 px in at least 0.36 %,
 * another accent colour in at least 0.16 %.
 */
const SCALE = 3
/** Difference of a colour channel, from 0 to 255, above which a pixel differs. */
const MAX_DIFFERENCE = 24
/** Share of pixels that may differ. */
const MAX_SHARE = 0.001
/** Limits the wait for a page that is still loading. */
const TIMEOUT_MS = 8_000

/**
 * Compares what the page shows with its reference, or replaces the reference if UPDATE_SCREENSHOTS is 1.
 * @returns what differs, or null
 */
export async function checkScreenshot(page: Page, name: string): Promise<string | null> {
  const file = join(REFERENCES, `${name}.webp`)
  if (process.env.UPDATE_SCREENSHOTS === '1') {
    const image = sharp(await takeStableScreenshot(page)).webp({ lossless: true, effort: 6 })
    await writeFile(file, await image.toBuffer())
    return null
  }
  const expected = await reduce(await readFile(file))
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const actual = await takeScreenshot(page)
    const { share, difference } = compare(await reduce(actual), expected)
    if (share <= MAX_SHARE) return null
    if (performance.now() < deadline) continue
    const results = await writeResults(name, actual, difference)
    return `${name}.webp differs in ${percent(share)} of its pixels, allowed are ${percent(MAX_SHARE)}: see ${results}. To accept the new look: ${UPDATE}`
  }
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`

const takeScreenshot = (page: Page) => page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })

/** Waits until two screenshots in a row are equal. */
async function takeStableScreenshot(page: Page): Promise<Buffer> {
  let previous: Buffer | null = null
  for (;;) {
    const next = await takeScreenshot(page)
    if (previous?.equals(next)) return next
    previous = next
    // Fades and late images change the page more slowly than two screenshots follow each other.
    await page.waitForTimeout(250)
  }
}

type Pixels = { data: Buffer; raw: { width: number; height: number; channels: 3 } }

/** Decodes before resizing: the decoders of WebP and PNG would resize differently. */
async function reduce(image: Buffer): Promise<Pixels> {
  const full = await readPixels(sharp(image))
  return readPixels(sharp(full.data, full).resize(Math.round(full.raw.width / SCALE), null, { kernel: 'linear' }))
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, raw: { width: info.width, height: info.height, channels: 3 } }
}

/** Returns the share of pixels that differ, and an image of the absolute differences. */
function compare(actual: Pixels, expected: Pixels): { share: number; difference: Pixels } {
  const data = actual.data.map((value, index) => Math.abs(value - (expected.data[index] ?? 0)))
  let count = 0
  for (let at = 0; at < data.length; at += 3) {
    if (data.subarray(at, at + 3).some((difference) => difference > MAX_DIFFERENCE)) count++
  }
  return { share: count / (data.length / 3), difference: { ...actual, data: Buffer.from(data) } }
}

/** Writes the screenshot and the differences. @returns their paths */
async function writeResults(name: string, actual: Buffer, difference: Pixels): Promise<string> {
  await mkdir(RESULTS, { recursive: true })
  const [actualPath, differencePath] = [join(RESULTS, `${name}.png`), join(RESULTS, `${name}.difference.png`)]
  await writeFile(actualPath, actual)
  await sharp(difference.data, difference).linear(3, 0).toFile(differencePath)
  return `${relative(ROOT, actualPath)} and ${relative(ROOT, differencePath)}`
}

/** Deletes the results of the last run. */
export const deleteResults = () => rm(RESULTS, { recursive: true, force: true })
