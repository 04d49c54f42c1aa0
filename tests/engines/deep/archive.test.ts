import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestDatabase } from '#tests/helpers/databases.ts'
import { silence } from '#tests/helpers/endlessSound.ts'
import { describeEngines } from '#tests/helpers/engines/stage.ts'

async function addRecording({ dataDir }: TestDatabase): Promise<void> {
  const folder = join(dataDir, 'radio', 'shows', 'ferrite')
  const file = join(folder, 'stream_20260222-200000.mp3')
  await mkdir(folder, { recursive: true })
  await writeFile(file, silence(5 * 60))
  // Sets an old time, because the server treats a recently written file as a running recording.
  await utimes(file, new Date(0), new Date(0))
}

describeEngines((stage) => {
  test('a recording plays, seeks, and plays on while the visitor looks elsewhere', async () => {
    const { page } = stage
    const bar = '[aria-label="Radio player"]'
    await page.open('/archive')
    await page.press(/ferrite/, 'main')
    await page.press(/^Play Broadcast/, 'main')
    await page.see(/0:0[1-9] of (5:00|4:59) heard/)
    await page.fill('Position', '\uE00E\uE00E')
    // A step is 60 s in WebKit, and 30 s in Firefox.
    await page.see(/[12]:0\d of (5:00|4:59) heard/)
    await page.press('DTPChan', 'footer')
    await page.isAt('/dtpchan')
    expect(await page.has('Pause', bar)).toBe(true)
    await page.back()
    await page.press(/^Pause Broadcast/, 'main')
    await page.reload()
    await page.see(/[12]:\d\d of (5:00|4:59) heard/)
  })
}, addRecording)
