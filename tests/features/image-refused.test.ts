import { readdir } from 'node:fs/promises'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { imageShare } from '#db/schema/index.ts'
import { deleteOrphanedFiles } from '#server/core/jobs/fileCleanup.ts'
import { type ApiResponse, callApi } from '#tests/helpers/apiCalls.ts'
import { FORM_TYPE, fieldPart, filePart, formBody, part } from '#tests/helpers/multipart.ts'
import {
  gifWithFrames,
  jpegWithScans,
  noiseBytes,
  pngWithClaimedSize,
  stillImage,
} from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { listStoredFiles } from '#tests/helpers/storageSnapshot.ts'

const SHARES = '/api/image-share'
const MiB = 1024 * 1024
const NOT_IMAGE = [415, 'Please select a valid image file (JPEG, PNG, GIF, or WebP)'] as const
const TOO_BIG = [413, 'File size must be less than 5MB'] as const
const NO_FILE = [400, 'Please select an image to upload'] as const
const NO_EXPIRY = [400, 'Expiration must be one of 1, 6, 12, 24, 48, 168 hours'] as const
const GONE = [404, 'Image not found or expired'] as const
const UNREADABLE = [400, 'The request could not be read'] as const

let site: TestSite
let png: Buffer
beforeAll(async () => {
  site = await startSite()
  png = await stillImage().png().toBuffer()
})
afterAll(() => site.close())

const image = (bytes: Uint8Array | string = png, type = 'image/png', name = 'a.png') =>
  filePart('image', name, type, bytes)
const hours = (value = '24') => fieldPart('expiryHours', value)
const send = (...parts: Buffer[]) => callApi(site, 'POST', SHARES, { raw: formBody(...parts), type: FORM_TYPE })

/** Expects a refusal with this status and text, and no new row or file. */
async function refused(answer: ApiResponse, [status, error]: readonly [number, string]) {
  expect([answer.status, answer.body]).toEqual([status, { success: false, error }])
  expect(await site.app.services.db.select().from(imageShare)).toEqual([])
  expect(await listStoredFiles(site)).toEqual([])
}

describe('files', () => {
  test('a missing file', async () => {
    await refused(await send(hours()), NO_FILE)
    await refused(await send(), NO_FILE)
    await refused(await send(fieldPart('image', ''), hours()), NO_FILE)
    await refused(await callApi(site, 'POST', SHARES, { json: { expiryHours: 24 } }), NO_FILE)
    await refused(
      await callApi(site, 'POST', SHARES, { json: { image: 'data:image/png;base64,AA', expiryHours: 24 } }),
      NO_FILE,
    )
    await refused(await callApi(site, 'POST', SHARES, { raw: '' }), NO_FILE)
  })

  test('an empty file field', async () => {
    await refused(await send(image('', 'application/octet-stream', ''), hours()), NO_FILE)
  })

  test('a file that is not an image, whatever its type', async () => {
    await refused(await send(image('hello', 'text/plain', 'a.txt'), hours()), NOT_IMAGE)
    await refused(await send(image('<script>', 'application/octet-stream', 'a.png'), hours()), NOT_IMAGE)
    await refused(await send(image('%PDF-1.7', 'application/pdf', 'a.pdf'), hours()), NOT_IMAGE)
    await refused(await send(image(noiseBytes(6 * MiB), 'application/pdf', 'a.pdf'), hours()), TOO_BIG)
  })

  test('a file declared as an image that is not one', async () => {
    await refused(
      await send(image('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'a.svg'), hours()),
      NOT_IMAGE,
    )
    await refused(await send(image('hello'), hours()), NOT_IMAGE)
    await refused(await send(image(''), hours()), NOT_IMAGE)
    await refused(await send(image(png.subarray(0, 90)), hours()), [415, 'This image file is incomplete'])
    await refused(await send(image(await stillImage().avif().toBuffer(), 'image/avif'), hours()), NOT_IMAGE)
  })

  test('too many bytes, pixels, scans', async () => {
    await refused(await send(image(Buffer.concat([png, Buffer.alloc(5 * MiB)])), hours()), TOO_BIG)
    await refused(await send(image(noiseBytes(20 * MiB)), hours()), TOO_BIG)
    const pixels = [413, 'This image has too many pixels'] as const
    await refused(await send(image(pngWithClaimedSize(30_000, 30_000, Buffer.alloc(9))), hours()), pixels)
    const wide = gifWithFrames(500)
    wide.writeUInt16LE(1000, 6)
    wide.writeUInt16LE(1000, 8)
    await refused(await send(image(wide, 'image/gif'), hours()), pixels)
    const scans = 'This JPEG has too many scans. Please save it again as a normal JPEG.'
    await refused(await send(image(jpegWithScans(48_000), 'image/jpeg'), hours()), [415, scans])
  })

  test('two files', async () => {
    await refused(await send(image(), image(), hours()), [400, 'Only one image can be attached'])
  })

  test('truncated forms', async () => {
    const whole = formBody(hours(), image())
    for (const share of [0.05, 0.3, 0.6, 0.9]) {
      const raw = whole.subarray(0, Math.floor(whole.length * share))
      await refused(await callApi(site, 'POST', SHARES, { raw, type: FORM_TYPE }), UNREADABLE)
    }
  })

  test('stores files named like paths under a random name', async () => {
    for (const name of ['../../x.png', '/etc/passwd', '..\\..\\x.png', 'a\0.png', '%2e%2e%2fx.png', 'x'.repeat(5000)]) {
      const answer = await send(image(png, 'image/png', name), hours())
      expect([answer.status, answer.body.filename]).toEqual([
        200,
        expect.stringMatching(/^[0-9a-f]{24}-[0-9a-z]+\.png$/),
      ])
      const { pathname, searchParams } = new URL(answer.body.deleteUrl)
      const token = searchParams.get('token')
      expect((await callApi(site, 'POST', `/api${pathname}`, { json: { token } })).status).toBe(200)
    }
    expect(await listStoredFiles(site)).toEqual([])
  })
})

describe('expiry', () => {
  test('defaults to a day', async () => {
    const { status, body } = await send(image())
    expect(status).toBe(200)
    const hours = (new Date(body.expiresAt).getTime() - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
    const { pathname, searchParams } = new URL(body.deleteUrl)
    await callApi(site, 'POST', `/api${pathname}`, { json: { token: searchParams.get('token') } })
  })
  test.each(['', '0', '2', '-1', '24.0', '24 ', '1e0', '024', '0x18', 'NaN', '1000000000', 'one', '24,24', '168h'])(
    '%j',
    async (value) => refused(await send(image(), hours(value)), NO_EXPIRY),
  )
  test('twice', async () => refused(await send(image(), hours(), hours()), UNREADABLE))
  test('is checked before the file', async () => refused(await send(image('x'), hours('3')), NO_EXPIRY))
  test('is not read from the query', async () => {
    const raw = formBody(image())
    const answer = await callApi(site, 'POST', `${SHARES}?expiryHours=2`, { raw, type: FORM_TYPE })
    expect(answer.status).toBe(200)
    const { pathname, searchParams } = new URL(answer.body.deleteUrl)
    await callApi(site, 'POST', `/api${pathname}`, { json: { token: searchParams.get('token') } })
  })
})

test('ignores unknown fields and parts', async () => {
  const more = [fieldPart('unknown', 'x'), fieldPart('views', '99'), part('form-data; name="other"; filename="x"', 'y')]
  const answer = await send(...more, hours(), image())
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  const { pathname, searchParams } = new URL(answer.body.deleteUrl)
  await callApi(site, 'POST', `/api${pathname}`, { json: { token: searchParams.get('token') } })
})

test('answers the same 404 for ids of every shape', async () => {
  for (const id of [
    'x',
    'A'.repeat(22),
    'A'.repeat(5000),
    '%00',
    '%00'.repeat(22),
    '%F0%9F%92%A9',
    '%ED%A0%80',
    '..%2F..%2Fetc',
    '__proto__',
    'constructor',
    "'%20or%201=1--",
    '-1',
    '%25',
  ]) {
    const answer = await callApi(site, 'GET', `${SHARES}/${id}`)
    await refused(answer, GONE)
    await refused(await callApi(site, 'POST', `${SHARES}/${id}/delete`, { json: { token: 'x' } }), GONE)
  }
})

test('refuses other methods', async () => {
  for (const [method, url] of [
    ['GET', SHARES],
    ['PUT', `${SHARES}/${'A'.repeat(22)}`],
    ['DELETE', `${SHARES}/${'A'.repeat(22)}`],
    ['GET', `${SHARES}/${'A'.repeat(22)}/delete`],
  ] as const) {
    expect((await callApi(site, method, url)).status).toBe(404)
  }
})

describe('when the database fails', () => {
  const gone = () => Object.assign(new Error('gone'), { code: '57P01' })
  const cleanUp = () => deleteOrphanedFiles(site.app.services, [imageShare.imageId], 0)

  test('before it stores the image, the cleanup job deletes the files', async () => {
    const insert = vi.spyOn(site.app.services.db, 'insert').mockImplementation(() => {
      throw gone()
    })
    const answer = await send(image(), hours()).finally(() => insert.mockRestore())
    expect([answer.status, answer.body.success]).toEqual([503, false])
    await cleanUp()
    expect(await listStoredFiles(site)).toEqual([])
    expect(await readdir(site.dataDir)).toContain('uploads')
  })

  test('after it stored the image, the image keeps its files', async () => {
    const { db } = site.app.services
    const run = db.execute.bind(db)
    const execute = vi.spyOn(db, 'execute').mockImplementation((async (query: SQL) => {
      const result = await run(query)
      if (new PgDialect().sqlToQuery(query).sql.includes('"image_share"')) throw gone()
      return result
    }) as never)
    const answer = await send(image(), hours()).finally(() => execute.mockRestore())
    expect(answer.status).toBe(503)
    const [stored] = await db.select().from(imageShare)
    const shared = await callApi(site, 'GET', `/api/image-share/${stored?.id}`)
    expect([shared.status, shared.body.imageShare.filename]).toEqual([200, stored?.image.name])
    await cleanUp()
    expect((await site.app.inject(`/dtpchan/uploads/${stored?.image.name}`)).statusCode).toBe(200)
  })
})
