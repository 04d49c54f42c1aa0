import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeEngines } from '#tests/helpers/engines/stage.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'

describeEngines((stage) => {
  const readField = (label: string) =>
    stage.page.evaluate((name) => {
      const field = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].find(({ labels }) =>
        [...(labels ?? [])].some((one) => one.innerText.trim() === name),
      )
      return field?.value ?? ''
    }, label)

  test.each([
    ['a paste', []],
    ['a paste that the browser encrypts', [/^Encrypt in the browser/]],
  ])('%s burns when it is read', async (_name, switches) => {
    const { page, site } = stage
    await page.open('/paste-service')
    await page.fill('Content', 'read me once')
    for (const name of [/^Burn after reading/, ...switches]) await page.press(name)
    await page.press('Create Paste')
    await page.see('Paste created')
    const url = new URL(await readField('Paste URL'))
    expect(url.hash !== '').toBe(switches.length > 0)
    await page.open(url.pathname + url.hash)
    await page.press(/^Read and delete/)
    await page.see('read me once')
    expect((await fetch(site.origin + url.pathname)).status).toBe(404)
  })

  test('a visitor shares an image', async () => {
    const { page, location } = stage
    const file = join(location.dataDir, 'shared.png')
    await writeFile(file, await stillImage(800, 600).png().toBuffer())
    await page.open('/image-sharing')
    await page.choose(file)
    await page.see('shared.png')
    await page.press('Upload Image')
    await page.see('Image uploaded successfully!')
    await page.open(new URL(await readField('Image URL')).pathname)
    await page.see('Shared image')
    await page.until('a drawn image', () =>
      page.evaluate(() => document.querySelector<HTMLImageElement>('main img')?.naturalWidth === 800),
    )
  })
})
