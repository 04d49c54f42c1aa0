import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '../helpers/calls.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '../helpers/radioService.ts'
import { startSite, type TestSite } from '../helpers/site.ts'

let service: RadioService
let site: TestSite
beforeAll(async () => {
  service = await startRadioService()
  site = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY, SITE_URL: 'https://site.example' })
})
afterAll(async () => {
  await site.close()
  await service.close()
})

test('stations are listed with our own address of their sound', async () => {
  const { status, body } = await call(site, 'GET', '/api/radio/stations')
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      success: true,
      available: true,
      stations: [
        {
          id: 1,
          name: 'AzuraTest Radio',
          description: '',
          listen_url: 'https://site.example/radio/1/stream',
          direct: false,
        },
      ],
    },
  })
})

test('what is on air', async () => {
  const { body } = await call(site, 'GET', '/api/radio/nowplaying/1')
  console.log(JSON.stringify(body,null,1))
})
