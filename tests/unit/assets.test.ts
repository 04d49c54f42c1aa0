import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @ts-expect-error the build runs without a compiler
import { compressTexts } from '#build/clientFiles.mjs'
import { registerAssets } from '#server/plugins/pages/assets.ts'

const SCRIPT = 'export const answer = 42 // and again\n'.repeat(100)
const ICON = `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h1v1z"/>'.repeat(100)}</svg>`
const NOISE = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251))

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assets-'))
  await mkdir(join(folder, 'assets', 'chunks'), { recursive: true })
  await writeFile(join(folder, 'assets', 'chunks', 'a.js'), SCRIPT)
  await writeFile(join(folder, 'assets', 'small.css'), 'a{}')
  await writeFile(join(folder, 'assets', 'font.woff2'), NOISE)
  await writeFile(join(folder, 'icon.svg'), ICON)
  await compressTexts(folder)
  app = Fastify()
  await registerAssets(app, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, encodings?: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { ...(encodings && { 'accept-encoding': encodings }), ...headers } })

describe('a built file', () => {
  test.each([
    [undefined, undefined],
    ['identity', undefined],
    ['br;q=0', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['nonsense;;q=,', undefined],
  ])('goes to whoever takes %s as %s', async (takes, encoding) => {
    const answer = await get('/assets/chunks/a.js', takes)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers).toMatchObject({
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
      'content-length': String(answer.rawPayload.length),
    })
    const read = encoding === 'br' ? brotliDecompressSync : encoding === 'gzip' ? gunzipSync : (bytes: Buffer) => bytes
    expect(read(answer.rawPayload).toString()).toBe(SCRIPT)
    expect(answer.rawPayload.length).toBeLessThanOrEqual(encoding ? 200 : SCRIPT.length)
  })

  test('has an ETag for each encoding, and answers 304 to clients that have it', async () => {
    const tags = new Set<string>()
    for (const takes of ['identity', 'gzip', 'br']) {
      const { etag } = (await get('/assets/chunks/a.js', takes)).headers
      tags.add(String(etag))
      const again = await get('/assets/chunks/a.js', takes, { 'if-none-match': String(etag) })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
    expect(tags.size).toBe(3)
  })

  test('is sent in ranges, and without a body for HEAD', async () => {
    const part = await get('/assets/chunks/a.js', undefined, { range: 'bytes=0-5' })
    expect([part.statusCode, part.body]).toEqual([206, 'export'])
    const head = await app.inject({ method: 'HEAD', url: '/assets/chunks/a.js', headers: { 'accept-encoding': 'br' } })
    expect([head.statusCode, head.body, head.headers['content-encoding']]).toEqual([200, '', 'br'])
  })

  test.each(['/assets/small.css', '/assets/font.woff2'])(
    'is not compressed when that saves nothing: %s',
    async (url) => {
      const { statusCode, headers } = await get(url, 'br, gzip')
      expect([statusCode, headers['content-encoding']]).toEqual([200, undefined])
    },
  )

  test('has one URL for all encodings', async () => {
    for (const url of ['/assets/chunks/a.js.br', '/assets/chunks/a.js.gz', '/icon.svg.br', '/assets/../icon.svg.br']) {
      expect((await get(url)).statusCode, url).toBe(404)
    }
  })

  test('in the top folder is cached for a day', async () => {
    const { headers, rawPayload } = await get('/icon.svg', 'br')
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'public, max-age=86400' })
    expect(headers['content-type']).toContain('image/svg+xml')
    expect(brotliDecompressSync(rawPayload).toString()).toBe(ICON)
  })
})
