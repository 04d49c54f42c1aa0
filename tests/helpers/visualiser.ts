import type { Page } from 'playwright'
import { expect } from './browser.ts'

export const presetSelect = (page: Page) => page.getByRole('combobox', { name: 'Visualiser preset' })
export const canvas = (page: Page) => page.locator('main canvas[role=img]')
export const control = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: 'Visualiser controls' }).getByRole('button', { name })

/** Counts of draw calls and of strings evaluated as code, and the violated directives of the security policy. */
type Probe = { draws: number; evaluated: number; violations: string[] }

/**
 * Records draw calls, evaluated strings and policy violations from the next page load on. Also lets tests read the
 * pixels of drawn frames. Runs before the page's own scripts.
 */
export const probe = (page: Page) =>
  page.addInitScript(() => {
    const seen: Probe = { draws: 0, evaluated: 0, violations: [] }
    Object.assign(window, { probe: seen })
    document.addEventListener('securitypolicyviolation', (event) => seen.violations.push(event.violatedDirective))
    const counted = {
      apply: (target: FunctionConstructor, self: unknown, args: string[]) => {
        seen.evaluated += 1
        return Reflect.apply(target, self, args)
      },
      construct: (target: FunctionConstructor, args: string[]) => {
        seen.evaluated += 1
        return Reflect.construct(target, args)
      },
    }
    window.Function = new Proxy(Function, counted)
    const draw = WebGL2RenderingContext.prototype.drawElements
    WebGL2RenderingContext.prototype.drawElements = function (...args) {
      seen.draws += 1
      draw.apply(this, args)
    }
    const getContext = HTMLCanvasElement.prototype.getContext as (kind: string, options?: object) => unknown
    Object.assign(HTMLCanvasElement.prototype, {
      getContext(this: HTMLCanvasElement, kind: string, options?: object) {
        return getContext.call(this, kind, kind === 'webgl2' ? { ...options, preserveDrawingBuffer: true } : options)
      },
    })
  })

export const probed = (page: Page): Promise<Probe> => page.evaluate(() => (window as unknown as { probe: Probe }).probe)

/** Returns the current frame, scaled down, as a list of colour values from 0 to 255. */
export const picture = (page: Page): Promise<number[]> =>
  canvas(page).evaluate((element: HTMLCanvasElement) => {
    const small = Object.assign(document.createElement('canvas'), { width: 32, height: 24 })
    const context = small.getContext('2d')
    context?.drawImage(element, 0, 0, 32, 24)
    return [...(context?.getImageData(0, 0, 32, 24).data ?? [])].filter((_, at) => at % 4 !== 3)
  })

/** Waits for a frame that is not black, and then for a different frame. */
export async function expectMoving(page: Page): Promise<void> {
  await expect(canvas(page)).toBeVisible()
  await expect.poll(async () => Math.max(...(await picture(page)))).toBeGreaterThan(16)
  const first = await picture(page)
  await expect.poll(() => picture(page)).not.toEqual(first)
}

/** Waits until drawing has stopped. */
export async function expectStill(page: Page): Promise<void> {
  let last = -1
  await expect
    .poll(
      async () => {
        const before = last
        last = (await probed(page)).draws
        return last - before
      },
      { intervals: [700], timeout: 120_000 },
    )
    .toBe(0)
}

/** Waits until the visualiser draws another frame. */
export async function expectDrawing(page: Page): Promise<void> {
  const { draws } = await probed(page)
  await expect.poll(async () => (await probed(page)).draws).toBeGreaterThan(draws)
}
