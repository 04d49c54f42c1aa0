import { afterAll, beforeAll, expect, test } from 'vitest'
import { toFormData } from '#tests/helpers/apiCalls.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'
import { listStoredFiles } from '#tests/helpers/storageSnapshot.ts'

const ROUNDS = 3
const SHARES_BEFORE_THE_KILL = 12

let place: TestDatabase
beforeAll(async () => {
  place = await testDatabase()
})
afterAll(() => place.cleanup())

type Shared = { url: string; imageUrl: string }

async function share(origin: string, bytes: Buffer): Promise<Shared> {
  const image = new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' })
  const body = toFormData({ image, expiryHours: '1' })
  return (await (await fetch(`${origin}/api/image-share`, { method: 'POST', body })).json()) as Shared
}

/** Shares images from several writers until the process is killed. Returns the acknowledged shares. */
async function shareUntilKilled(site: SiteProcess, bytes: Buffer): Promise<Shared[]> {
  const acknowledged: Shared[] = []
  let killed: Promise<unknown> | null = null
  const write = async () => {
    while (!killed) {
      acknowledged.push(await share(site.origin, bytes))
      if (acknowledged.length >= SHARES_BEFORE_THE_KILL) killed ??= site.stop('SIGKILL')
    }
  }
  await Promise.allSettled([0, 1, 2].map(write))
  await killed
  return acknowledged
}

test(`${ROUNDS} times killed while images come in, each acknowledged one is there, and no file belongs to nothing`, async () => {
  const bytes = await stillImage(800, 600).png().toBuffer()
  const shared: Shared[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const site = await spawnSite(place)
    for (const { url, imageUrl } of shared) {
      for (const address of [`/api${new URL(url).pathname}`, new URL(imageUrl).pathname]) {
        expect((await fetch(`${site.origin}${address}`)).status).toBe(200)
      }
    }
    if (round === ROUNDS) {
      // In each round, each of the three writers can have stored one share that was not acknowledged.
      const files = (await listStoredFiles(place)).length
      if (place.databaseUrl === undefined) expect(files % 3).toBe(0)
      expect(files).toBeGreaterThanOrEqual(3 * shared.length)
      expect(files).toBeLessThanOrEqual(3 * (shared.length + 3 * ROUNDS))
      await site.stop()
    } else shared.push(...(await shareUntilKilled(site, bytes)))
  }
})
