import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'

let stage: BrowserSite
beforeAll(async () => {
  stage = await startBrowserSite({}, { graphics: true })
})
afterAll(() => stage.close())

/** Input (`Work`) and output (`Given`) of the script that runs in the page. */
type Work = { butterchurn: string; presets: string[]; indexes: number[] }
type Given = { finished?: string; violations: string[]; outcomes: { index: number; problem: string | null }[] }

/** Returns the paths of butterchurn and of the preset modules, ordered by preset number. */
function builtModules(): Omit<Work, 'indexes'> {
  const assets: Record<string, { file: string }> = JSON.parse(readFileSync('dist/current/assets.json', 'utf8'))
  const address = (module: string) => `/${assets[module]?.file}`
  const presets = Object.keys(assets).filter((module) => /^virtual:presets\/preset-\d+$/.test(module))
  return {
    butterchurn: address('node_modules/butterchurn/lib/butterchurn.js'),
    presets: presets.map((_, index) => address(`virtual:presets/preset-${index}`)),
  }
}

async function draw(work: Work): Promise<Given> {
  const page = await stage.visit('/robots.txt')
  await page.addInitScript((given) => Object.assign(window, { work: given }), work)
  await page.addInitScript({ path: 'tests/helpers/drawPresets.js' })
  await page.goto('/login')
  const finished = await page.waitForFunction(() => (window as unknown as Given).finished, undefined, {
    timeout: 200_000,
    polling: 250,
  })
  expectValue(await finished.jsonValue()).toBe('drawn')
  return page.evaluate(() => {
    const { outcomes, violations } = window as unknown as Given
    return { outcomes, violations }
  })
}

test.runIf(isDeep)('draws every chosen preset without an error', async () => {
  const page = await stage.visit('/visualizer')
  const select = page.getByRole('combobox', { name: 'Visualiser preset' })
  await expect(select.locator('optgroup[label="Base"] option')).toHaveCount(100)
  await expect(select.locator('optgroup[label="Extra"] option')).toHaveCount(145)
  const names = await select
    .locator('option')
    .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))
  expectValue(new Set(names).size).toBe(245)
  await page.close()

  const { butterchurn, presets } = builtModules()
  expectValue(presets).toHaveLength(245)
  // Uses two pages, so that one page compiles shaders while the other draws.
  const indexes = presets.map((_, index) => index).filter((index) => isDeep || index % 40 === 0)
  const halves = [0, 1].map((half) => indexes.filter((_, position) => position % 2 === half))
  const given = await Promise.all(halves.map((indexes) => draw({ butterchurn, presets, indexes })))

  const outcomes = given.flatMap((half) => half.outcomes)
  expectValue(outcomes).toHaveLength(indexes.length)
  const failed = outcomes.filter(({ problem }) => problem !== null)
  expectValue(failed.map(({ index, problem }) => `${names[index]}: ${problem}`)).toEqual([])
  expectValue(given.flatMap((half) => half.violations)).toEqual([])
})
