import { expect, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { loggedError } from '#server/core/errors.ts'
import { createRadio } from '#server/features/radio/createRadio.ts'
import { defaultSite } from '#src/contract/site.ts'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import { automaticStation } from '#tests/helpers/liveStation.ts'
import { type Behaviour, RADIO_KEY, startRadioService } from '#tests/helpers/radioService.ts'

const PASSWORD = 'password-of-a-streamer'
const troubles: (Behaviour | null)[] = [
  null,
  'forbidden',
  'html',
  'broken',
  'death',
  { tooMany: '1' },
  { redirect: 'http://10.0.0.7/inside' },
  { json: { echo: `Bearer ${RADIO_KEY}` }, status: 400 },
]

const images = testProcessor()

test('never exposes the key, passwords or internal addresses in answers or logs', async () => {
  const service = await startRadioService()
  const told: unknown[] = []
  const write = (...entry: unknown[]) => {
    told.push(entry.map((one) => (one && typeof one === 'object' && 'err' in one ? loggedError(one.err) : one)))
  }
  let time = Date.now()
  const radio = createRadio({
    site: defaultSite,
    config: readConfig({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY, SITE_URL: 'https://site.example' }),
    eventHub: { hasSubscribers: () => false, broadcast: () => {} },
    images,
    secret: new Uint8Array(32),
    live: automaticStation,
    log: { info: write, warn: write, error: write },
    now: () => new Date(time),
  })
  const streamer = { id: 3, streamer_username: 'dj_test', streamer_password: PASSWORD, display_name: 'Test DJ' }
  const listener = { begin: () => {}, write: () => {}, bufferedBytes: () => 0, end: () => {}, drop: () => {} }

  for (const trouble of troubles) {
    service.set('all', trouble)
    if (trouble === null) service.set('streamers', { json: [{ ...streamer, links: { self: service.url } }] })
    for (const ask of [
      () => radio.stations(),
      () => radio.nowPlaying(1),
      () => radio.streamers(1),
      () => radio.broadcasts(1, 3),
      () => radio.openRecording({ stationId: 1, streamerId: 3, broadcastId: 7 }, null, AbortSignal.timeout(500)),
      () => radio.listen(1, listener).then(({ leave }) => leave()),
      () => radio.art('x', 'large'),
    ]) {
      told.push(
        await ask().then(
          (answer) => (answer && typeof answer === 'object' && 'body' in answer ? 'a body' : answer),
          (error) => [String(error), loggedError(error)],
        ),
      )
    }
    time += 90_000
  }
  await radio.close()
  await service.close()

  const all = JSON.stringify(told)
  expect(all).toContain('radio source is unavailable')
  expect(all).toContain('dj_test')
  expect(all).not.toContain(RADIO_KEY)
  expect(all).not.toContain(PASSWORD)
  for (const inside of ['127.0.0.1', '10.0.0.7', '18099', new URL(service.url).port]) expect(all).not.toContain(inside)
})
