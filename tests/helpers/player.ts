import type { Page } from 'playwright'
import { expect } from './browser.ts'

export const player = (page: Page) => page.getByRole('region', { name: 'Radio player' })
export const key = (page: Page, name: string) => player(page).getByRole('button', { name, exact: true })

/** Returns the state of the audio element. */
export const sound = (page: Page) =>
  page.evaluate(() => {
    const audio = document.querySelector('audio')
    return {
      elements: document.querySelectorAll('audio').length,
      time: audio?.currentTime ?? 0,
      isPaused: audio?.paused ?? true,
      source: audio?.getAttribute('src') ?? null,
    }
  })

/** Waits until the element's `currentTime` increases. */
export async function expectSound(page: Page, timeout = 15_000): Promise<void> {
  const { time } = await sound(page)
  await expect.poll(async () => (await sound(page)).time, { timeout, intervals: [100] }).not.toBe(time)
  const { time: now } = await sound(page)
  await expect.poll(async () => (await sound(page)).time, { timeout, intervals: [100] }).toBeGreaterThan(now)
}

/** Presses play and waits until sound plays. */
export async function startRadio(page: Page): Promise<void> {
  await key(page, 'Play').click()
  await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0)
  await expect(key(page, 'Pause')).toBeVisible()
}

/** Exposes the audio graph's nodes as `window.audioNodes`, from the next page load on. */
export const exposeGraph = (page: Page) =>
  page.addInitScript(() => {
    const nodes: AudioNode[] = []
    Object.assign(window, { audioNodes: nodes })
    const kept = <Node extends { new (...args: never[]): AudioNode }>(Kind: Node) =>
      new Proxy(Kind, {
        construct(target, args, newTarget) {
          const node = Reflect.construct(target, args, newTarget)
          nodes.push(node)
          return node
        },
      })
    window.AnalyserNode = kept(AnalyserNode)
    window.GainNode = kept(GainNode)
  })

type Exposed = Window & { audioNodes: AudioNode[] }

/** Returns the FFT size and the highest frequency level (0 to 255) of the first analyser. */
export const analysed = (page: Page) =>
  page.evaluate(() => {
    const analyser = (window as unknown as Exposed).audioNodes.find((node) => node instanceof AnalyserNode)
    const data = new Uint8Array(1024)
    analyser?.getByteFrequencyData(data)
    return { fftSize: analyser?.fftSize, highest: Math.max(...data) }
  })

export const gain = (page: Page) =>
  page.evaluate(() => {
    const node = (window as unknown as Exposed).audioNodes.find((one) => one instanceof GainNode)
    return Number(node?.gain.value.toFixed(4))
  })
