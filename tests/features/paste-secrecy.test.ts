import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paste } from '#db/schema/index.ts'
import { deriveKeys } from '#server/features/paste/crypto.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const NOT_FOUND = { success: false, error: 'Paste not found or expired' }

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

async function made(json: object = {}) {
  const { status, body } = await callApi(site, 'POST', '/api/paste', {
    json: { content: 'some text', expiryHours: 24, ...json },
  })
  expect(status).toBe(200)
  const [, , , , id = ''] = body.url.split('/')
  return { id, token: new URL(body.deleteUrl).searchParams.get('token') ?? '' }
}
const read = (id: string) => callApi(site, 'GET', `/api/paste/${id}`)
const openPaste = (id: string, proof?: unknown) => callApi(site, 'POST', `/api/paste/${id}/read`, { json: { proof } })
const lookupOf = (id: string) => deriveKeys(id, site.app.services.secrets.paste)?.lookup ?? new Uint8Array()
const rowOf = async (id: string) => {
  const [row] = await site.app.services.db
    .select()
    .from(paste)
    .where(eq(paste.lookup, lookupOf(id)))
  if (!row) throw new Error('Expected a row')
  return row
}
type Row = Awaited<ReturnType<typeof rowOf>>
const change = (id: string, values: Partial<Row>) =>
  site.app.services.db
    .update(paste)
    .set(values)
    .where(eq(paste.lookup, lookupOf(id)))
async function gone(id: string): Promise<void> {
  const answer = await read(id)
  expect([answer.status, answer.body]).toEqual([404, NOT_FOUND])
}

describe('an attacker who can write to the database', () => {
  test('cannot change a byte of the ciphertext', async () => {
    const { id } = await made({ content: 'ten bytes.' })
    const { sealed } = await rowOf(id)
    for (let at = 0; at < sealed.length; at++) {
      const tampered = Buffer.from(sealed)
      tampered[at] = (tampered[at] ?? 0) ^ 1
      await change(id, { sealed: tampered })
      await gone(id)
    }
    for (const cut of [0, 11, 27, sealed.length - 1]) {
      await change(id, { sealed: Buffer.from(sealed).subarray(0, cut) })
      await gone(id)
    }
    await change(id, { sealed })
    expect((await read(id)).body.paste.content).toBe('ten bytes.')
  })

  test('cannot swap two pastes', async () => {
    const [one, two] = [await made({ content: 'one' }), await made({ content: 'two' })]
    const [first, second] = [await rowOf(one.id), await rowOf(two.id)]
    const moved = ({ sealed, createdAt, expiresAt, flags }: Row) => ({ sealed, createdAt, expiresAt, flags })
    await change(one.id, moved(second))
    await change(two.id, moved(first))
    await gone(one.id)
    await gone(two.id)
  })

  test('cannot change the expiry or the burn flag', async () => {
    const { id } = await made()
    const row = await rowOf(id)
    await change(id, { expiresAt: new Date(row.expiresAt.getTime() + 1) })
    await gone(id)
    await change(id, { expiresAt: row.expiresAt, createdAt: new Date(row.createdAt.getTime() - 1) })
    await gone(id)
    await change(id, { createdAt: row.createdAt })
    expect((await read(id)).status).toBe(200)
    const burning = await made({ burnAfterReading: true })
    await change(burning.id, { flags: 0 })
    await gone(burning.id)
    await change(burning.id, { flags: 1 })
    expect((await openPaste(burning.id)).body.paste.content).toBe('some text')
  })
})

test('a copy of the database reveals neither ids nor content', async () => {
  const secret = `a sentence that stands nowhere ${randomBytes(8).toString('hex')}`
  const pastes = [
    await made({ content: secret, language: 'lua' }),
    await made({ content: secret, burnAfterReading: true }),
  ]
  const { db } = site.app.services
  for (const { id } of pastes) await read(id)
  const dump = JSON.stringify(await db.execute(sql`select encode(sealed, 'escape') as a, p::text as b from paste p`))
  if (!site.app.services.config.databaseUrl) await db.execute(sql`checkpoint`)
  const stored = [Buffer.from(dump), ...(await filesBelow(site.dataDir))]
  expect(Buffer.concat(stored).length).toBeGreaterThan(1000)
  const needles = pastes.flatMap(({ id, token }) =>
    [id, token].flatMap((text) => [text, Buffer.from(text, 'base64url')]),
  )
  for (const needle of [
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
    ...needles,
  ]) {
    const hex = Buffer.from(needle as string).toString('hex')
    for (const bytes of stored) {
      expect(bytes.includes(needle)).toBe(false)
      expect(bytes.includes(hex)).toBe(false)
    }
  }
})

async function filesBelow(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))))
}

describe('a burning paste', () => {
  test('shows only its flags before it is opened', async () => {
    const { id } = await made({ burnAfterReading: true })
    const shown = { id, content: null, burnAfterReading: true, encrypted: false, passwordProtected: false }
    for (const headers of [{}, { 'sec-purpose': 'prefetch' }, { 'user-agent': 'Slackbot 1.0' }]) {
      const answer = await site.app.inject({ url: `/api/paste/${id}`, headers })
      expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, paste: shown }])
    }
    expect((await site.app.inject({ method: 'HEAD', url: `/api/paste/${id}` })).statusCode).toBe(200)
    expect((await site.app.inject({ method: 'HEAD', url: `/api/paste/${id}/read` })).statusCode).toBe(404)
    expect((await site.app.inject({ url: `/api/paste/${id}/read` })).statusCode).toBe(404)
    const raw = await site.app.inject({ url: `/paste/${id}/raw` })
    expect([raw.statusCode, raw.json().error]).toEqual([403, 'This paste can only be read on its page'])
    const { status, body } = await openPaste(id)
    expect([status, body.paste.content, body.paste.views]).toEqual([200, 'some text', 1])
    expect((await openPaste(id)).body).toEqual(NOT_FOUND)
    await gone(id)
  })

  test('is returned to one of twenty simultaneous readers', async () => {
    const { id } = await made({ burnAfterReading: true })
    const answers = await Promise.all(Array.from({ length: 20 }, () => openPaste(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)])
    expect(await site.app.services.db.$count(paste, eq(paste.lookup, lookupOf(id)))).toBe(0)
  })

  test('is the only kind that is deleted when opened', async () => {
    const { id } = await made()
    expect((await openPaste(id)).body.paste.content).toBe('some text')
    expect((await openPaste(id)).status).toBe(200)
  })
})

describe('a paste encrypted in the browser', () => {
  const proof = randomBytes(32)
  const proofHash = createHash('sha256').update(proof).digest('base64url')
  const content = randomBytes(60).toString('base64')
  const encrypted = { content, encrypted: true, proofHash }

  test('is stored unchanged', async () => {
    const { id } = await made({ ...encrypted, passwordProtected: true })
    const { paste: found } = (await read(id)).body
    expect([found.content, found.encoding, found.encrypted, found.passwordProtected]).toEqual([
      content,
      'base64',
      true,
      true,
    ])
    expect((await site.app.inject({ url: `/paste/${id}/raw` })).statusCode).toBe(403)
  })

  test('burns only with the right proof', async () => {
    const { id } = await made({ ...encrypted, burnAfterReading: true })
    for (const wrong of [undefined, '', 'x', proofHash, randomBytes(32).toString('base64url'), 'x'.repeat(5000)]) {
      const answer = await openPaste(id, wrong)
      expect([answer.status, answer.body.error]).toEqual([403, 'Wrong key or password'])
    }
    for (const wrong of [null, 5, []]) expect((await openPaste(id, wrong)).status).toBe(400)
    expect((await read(id)).body.paste.content).toBeNull()
    expect((await openPaste(id, proof.toString('base64url'))).body.paste.content).toBe(content)
    await gone(id)
  })

  test.each([
    ['no proof', { proofHash: undefined }],
    ['an invalid proof', { proofHash: 'x' }],
    ['a proof that is too long', { proofHash: 'A'.repeat(44) }],
    ['invalid base64', { content: 'ÄÖÜ!' }],
    ['truncated base64', { content: 'abcde' }],
  ])('is rejected with %s', async (_name, wrong) => {
    const { status, body } = await callApi(site, 'POST', '/api/paste', {
      json: { expiryHours: 1, ...encrypted, ...wrong },
    })
    expect([status, body.error]).toEqual([400, 'Encrypted content must be base64 and have a proofHash'])
  })

  test.each([
    ['a password', { passwordProtected: true }],
    ['a proof', { proofHash }],
  ])('rejects %s for content that is not encrypted', async (_name, fields) => {
    const { status, body } = await callApi(site, 'POST', '/api/paste', { json: { content: 'plain', ...fields } })
    const error = 'passwordProtected and proofHash need content that you encrypted'
    expect([status, body.error]).toEqual([400, error])
  })

  test('can have 1 MiB before encryption', async () => {
    const most = randomBytes(1024 * 1024 + 29).toString('base64')
    const { id } = await made({ ...encrypted, content: most })
    expect((await read(id)).body.paste.content === most).toBe(true)
    const over = randomBytes(1024 * 1024 + 30).toString('base64')
    const json = { ...encrypted, expiryHours: 1, content: over }
    expect((await callApi(site, 'POST', '/api/paste', { json })).status).toBe(413)
  })
})

describe('a delete link', () => {
  const remove = (id: string, token?: unknown) => callApi(site, 'POST', `/api/paste/${id}/delete`, { json: { token } })

  test('deletes the paste once, and only with its token', async () => {
    const { id, token } = await made()
    const other = await made()
    for (const wrong of ['', 'x', other.token, `${token}x`, id, 'x'.repeat(1000)]) {
      const answer = await remove(id, wrong)
      expect([answer.status, answer.body.error]).toEqual([404, 'This delete link is not valid'])
    }
    const inQuery = await callApi(site, 'POST', `/api/paste/${id}/delete?token=${token}`)
    expect([inQuery.status, inQuery.body.error]).toEqual([400, 'This delete link is not valid'])
    for (const method of ['GET', 'HEAD']) {
      const url = `/api/paste/${id}/delete?token=${token}`
      expect((await site.app.inject({ method: method as 'GET', url })).statusCode).toBe(404)
    }
    expect((await read(id)).status).toBe(200)
    expect((await remove(id, token)).body).toEqual({ success: true })
    await gone(id)
    expect((await remove(id, token)).body).toEqual(NOT_FOUND)
    expect((await read(other.id)).status).toBe(200)
  })

  test('works for a burning paste', async () => {
    const { id, token } = await made({ burnAfterReading: true })
    expect((await remove(id, token)).body).toEqual({ success: true })
    await gone(id)
  })
})
