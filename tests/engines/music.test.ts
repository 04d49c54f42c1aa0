import { expect, test } from 'vitest'
import { isDeep } from '#tests/helpers/depth.ts'
import { describeEngines } from '#tests/helpers/engines/stage.ts'

describeEngines((stage) => {
  test('music plays on over many navigations', async () => {
    const { page } = stage
    await page.open('/')
    await page.see(/Carrier Wave/)
    await page.press('Play', '[aria-label="Radio player"]')
    const time = () => page.evaluate(() => document.querySelector('audio')?.currentTime ?? 0)
    await page.until('sound', async () => (await time()) > 0)
    await page.evaluate(() => {
      Object.assign(document.querySelector('audio') ?? {}, { mark: 'the same' })
    })
    const places: [name: string, path: string][] = [
      ['About', '/about'],
      ['Archive', '/archive'],
      ['Home', '/'],
    ]
    // The visualiser once, and in a deep run, because WebKit draws it with the processor.
    for (const [name, path] of isDeep
      ? [...places, ['Visualiser', '/visualizer'] as const, ...places, ...places]
      : places) {
      const before = await time()
      await page.follow(name, path, 'header')
      await page.until('sound', async () => (await time()) > before)
    }
    const [elements, isPaused, mark] = await page.evaluate(() => {
      const audio = document.querySelector('audio')
      return [document.querySelectorAll('audio').length, audio?.paused, (audio as { mark?: string } | null)?.mark]
    })
    expect([elements, isPaused, mark]).toEqual([1, false, 'the same'])
  })
})
