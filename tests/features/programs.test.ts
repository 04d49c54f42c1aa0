import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import defaultPrograms from '#server/features/program/defaultPrograms.json' with { type: 'json' }
import { addDefaultPrograms } from '#server/features/program/service.ts'
import { PROGRAM_CATEGORIES, programForm } from '#src/contract/program.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const PROGRAMS = '/api/programs'
const htop = {
  name: 'htop',
  link: 'https://htop.dev/',
  description: 'Shows what the machine does',
  addedBy: 'gl1tch',
  category: 'System Tools',
}

let site: TestSite
let token: string
let other: string
beforeAll(async () => {
  site = await startSite()
  token = await site.createToken('member@example.org')
  other = await site.createToken('other@example.org')
})
afterEach(() => site.setNow(null))
afterAll(() => site.close())

const list = async (at = site) => (await callApi(at, 'GET', PROGRAMS)).body.programs
const add = async (fields: object = {}) =>
  (await callApi(site, 'POST', PROGRAMS, { token, json: { ...htop, ...fields } })).body.program
const outcome = async (answer: ReturnType<typeof callApi>) => {
  const { status, body } = await answer
  return [status, body.success, body.error]
}

describe('program API', () => {
  test('returns no programs for an empty site', async () => {
    const fresh = await startSite()
    expect((await callApi(fresh, 'GET', PROGRAMS)).body).toEqual({ success: true, programs: [] })
    await fresh.close()
  })

  test('adds a trimmed program at the end of the list', async () => {
    await add()
    const { status, body } = await callApi(site, 'POST', PROGRAMS, {
      token,
      json: { ...htop, name: '  mpv ', category: 'Media', id: 7, createdAt: 'never' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      program: {
        ...htop,
        name: 'mpv',
        category: 'Media',
        id: expect.any(Number),
        createdAt: expect.any(String),
        updatedAt: body.program.createdAt,
      },
    })
    expect((await list()).at(-1)).toEqual(body.program)
  })

  test('lets any member edit a program, which keeps its position and id', async () => {
    const { id } = await add({ name: 'first' })
    await add({ name: 'second' })
    const { body } = await callApi(site, 'PUT', `${PROGRAMS}/${id}`, {
      token: other,
      json: { ...htop, name: 'edited', category: 'Retro' },
    })
    expect(body).toMatchObject({ success: true, program: { id, name: 'edited', category: 'Retro' } })
    expect((await list()).slice(-2).map(({ name }: { name: string }) => name)).toEqual(['edited', 'second'])
  })

  test('deletes a program', async () => {
    const { id } = await add()
    expect((await callApi(site, 'DELETE', `${PROGRAMS}/${id}`, { token: other })).body).toEqual({ success: true })
    expect((await list()).some((one: { id: number }) => one.id === id)).toBe(false)
    expect(await outcome(callApi(site, 'DELETE', `${PROGRAMS}/${id}`, { token }))).toEqual([
      404,
      false,
      'Program not found',
    ])
  })
})

describe('program permissions', () => {
  test.each([
    ['POST', '', 'You must be logged in to add programs'],
    ['PUT', '/1', 'You must be logged in to edit programs'],
    ['PUT', '/nonsense', 'You must be logged in to edit programs'],
    ['DELETE', '/1', 'You must be logged in to delete programs'],
  ])('rejects %s %s without a valid token', async (method, path, error) => {
    const ended = await site.createToken('ended@example.org')
    await callApi(site, 'POST', '/api/dtpchan/admin/logout', { token: ended })
    const before = await list()
    for (const used of [undefined, 'nonsense', `${token}x`, ended]) {
      for (const json of [htop, {}]) {
        const answer = callApi(site, method, `${PROGRAMS}${path}`, { token: used, json })
        expect(await outcome(answer)).toEqual([401, false, error])
      }
    }
    expect(await list()).toEqual(before)
  })
})

describe('program form', () => {
  const required = 'All fields are required'
  const link = 'Website link must be an http or https URL'
  const cases: [string, object, string][] = [
    ...Object.keys(htop).flatMap((name): [string, object, string][] => [
      [`${name} missing`, { [name]: undefined }, required],
      [`${name} blank`, { [name]: ' \n\t' }, required],
      [`${name} no text`, { [name]: 5 }, required],
      [`${name} null`, { [name]: null }, required],
      [`${name} a list`, { [name]: ['x'] }, required],
      [`${name} with NUL`, { [name]: 'https://a.org/\0' }, 'Text contains characters that cannot be stored'],
      [
        `${name} cut in a character`,
        { [name]: 'https://a.org/\ud83d' },
        'Text contains characters that cannot be stored',
      ],
    ]),
    ['long name', { name: 'x'.repeat(101) }, 'Program name must be at most 100 characters'],
    ['long link', { link: `https://a.org/${'x'.repeat(1987)}` }, 'Website link must be at most 2000 characters'],
    ['long description', { description: 'x'.repeat(1001) }, 'Description must be at most 1000 characters'],
    ['long addedBy', { addedBy: 'x'.repeat(65) }, 'Added by must be at most 64 characters'],
    ['long category', { category: 'x'.repeat(41) }, 'Category must be at most 40 characters'],
    ...[
      'htop.dev',
      'ftp://htop.dev',
      'javascript:alert(1)',
      '//htop.dev',
      'https://',
      'https:///x',
      'https://a b.org',
    ].map((wrong): [string, object, string] => [`link ${wrong}`, { link: wrong }, link]),
    ['data link', { link: 'data:text/html,<script>alert(1)</script>' }, link],
  ]

  test.each(cases)('rejects: %s', async (_name, fields, error) => {
    const { id } = await add()
    const before = await list()
    const json = { ...htop, ...fields }
    expect(await outcome(callApi(site, 'POST', PROGRAMS, { token, json }))).toEqual([400, false, error])
    expect(await outcome(callApi(site, 'PUT', `${PROGRAMS}/${id}`, { token, json }))).toEqual([400, false, error])
    expect(await list()).toEqual(before)
  })

  test('accepts maximum lengths, any script and custom categories', async () => {
    const fields = {
      name: 'ü'.repeat(100),
      link: `http://a.org/${'x'.repeat(1987)}`,
      description: 'd'.repeat(1000),
      addedBy: '名'.repeat(64),
      category: 'Ретро 🕹️'.padEnd(40, '!'),
    }
    expect(await add(fields)).toMatchObject(fields)
  })

  test('stores markup and SQL as text', async () => {
    const name = `<script>alert(1)</script>'; drop table program; --`
    expect(await add({ name })).toMatchObject({ name })
  })

  test.each(['', '[]', '"text"', 'null', '{', '5'])('rejects the body %j', async (raw) => {
    const { status, body } = await callApi(site, 'POST', PROGRAMS, { token, raw })
    expect([status, body.success]).toEqual([400, false])
  })
})

describe('program ids', () => {
  const ids = [
    '0',
    '-1',
    '999999999',
    '1e3',
    '1.5',
    '01',
    'abc',
    'null',
    '%F0%9F%92%A9',
    '9'.repeat(15),
    '9'.repeat(500),
  ]
  test.each([...ids, '1%27--', '%00', '..%2f1', '%201'])('answers 404 for the id %s', async (id) => {
    const url = `${PROGRAMS}/${id}`
    expect(await outcome(callApi(site, 'PUT', url, { token, json: htop }))).toEqual([404, false, 'Program not found'])
    expect(await outcome(callApi(site, 'DELETE', url, { token }))).toEqual([404, false, 'Program not found'])
  })

  test('takes the id from the path, not from the body', async () => {
    const [first, second] = [await add({ name: 'one' }), await add({ name: 'two' })]
    await callApi(site, 'PUT', `${PROGRAMS}/${first.id}`, { token, json: { ...htop, name: 'new', id: second.id } })
    expect((await list()).slice(-2).map(({ name }: { name: string }) => name)).toEqual(['new', 'two'])
  })
})

describe('concurrent edits', () => {
  test('reject an edit of an outdated version', async () => {
    const { id, updatedAt } = await add()
    const url = `${PROGRAMS}/${id}`
    const edit = (name: string) => callApi(site, 'PUT', url, { token, json: { ...htop, name, updatedAt } })
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(edit))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.error]).toEqual([409, 'Someone else changed this program in the meantime'])
    }
    const { name } = (await list()).at(-1)
    expect(name).toBe(answers.find(({ status }) => status === 200)?.body.program.name)
    expect((await callApi(site, 'PUT', url, { token, json: htop })).status).toBe(200)
  })

  test('get different versions within one millisecond', async () => {
    site.setNow(new Date('2026-01-01T12:00:00.123Z'))
    const { id, updatedAt } = await add()
    expect(updatedAt).toBe('2026-01-01T12:00:00.123Z')
    const edit = () => callApi(site, 'PUT', `${PROGRAMS}/${id}`, { token, json: { ...htop, updatedAt } })
    const { body } = await edit()
    expect(body.program.updatedAt).toBe('2026-01-01T12:00:00.124Z')
    expect((await edit()).status).toBe(409)
    const again = { ...htop, updatedAt: body.program.updatedAt }
    expect((await callApi(site, 'PUT', `${PROGRAMS}/${id}`, { token, json: again })).status).toBe(200)
  })

  test.each(['yesterday', '', 5, null, {}, '2026-13-01T00:00:00Z'])('reject the version %j', async (updatedAt) => {
    const { id } = await add()
    expect(await outcome(callApi(site, 'PUT', `${PROGRAMS}/${id}`, { token, json: { ...htop, updatedAt } }))).toEqual([
      400,
      false,
      'updatedAt must be the value that the program was read with',
    ])
  })

  test('answer 404 for an outdated edit of a deleted program', async () => {
    const { id, updatedAt } = await add()
    await callApi(site, 'DELETE', `${PROGRAMS}/${id}`, { token })
    const edit = callApi(site, 'PUT', `${PROGRAMS}/${id}`, { token, json: { ...htop, updatedAt } })
    expect((await edit).status).toBe(404)
  })
})

test('publishes every change to open pages', async () => {
  const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const query = await callApi(site, 'GET', '/trpc/program.list')
  const page = await openEventConnection(origin, ['programs'], query.body.result.data.json.lastEventId)
  const { id } = await add()
  await callApi(site, 'PUT', `${PROGRAMS}/${id}`, { token, json: htop })
  await callApi(site, 'DELETE', `${PROGRAMS}/${id}`, { token })
  for (let number = 0; number < 3; number++) {
    expect((await page.next()).event).toEqual({ topic: 'programs', change: { kind: 'programs' } })
  }
  page.close()
})

describe('default programs', () => {
  test('are at least thirty valid programs in all categories', () => {
    expect(defaultPrograms.length).toBeGreaterThanOrEqual(30)
    expect(new Set(defaultPrograms.map(({ name }) => name)).size).toBe(defaultPrograms.length)
    expect(new Set(defaultPrograms.map(({ link }) => link)).size).toBe(defaultPrograms.length)
    for (const category of PROGRAM_CATEGORIES) {
      expect(defaultPrograms.filter((entry) => entry.category === category).length).toBeGreaterThanOrEqual(3)
    }
    for (const entry of defaultPrograms) {
      expect(programForm.parse({ ...entry, addedBy: 'DTP' })).toEqual({ ...entry, addedBy: 'DTP' })
      expect(entry.link).toMatch(/^https:/)
    }
    const names = defaultPrograms.map(({ name }) => name.toLowerCase())
    expect(names).toEqual([...names].sort())
  })

  test('are added once to an empty site, by one of several processes', async () => {
    const fresh = await startSite()
    const { services } = fresh.app
    const added = await Promise.all(Array.from({ length: 4 }, () => addDefaultPrograms(services)))
    expect(added.sort((a, b) => b - a)).toEqual([defaultPrograms.length, 0, 0, 0])
    const programs = await list(fresh)
    expect(programs.map(({ name }: { name: string }) => name)).toEqual(defaultPrograms.map(({ name }) => name))
    expect(new Set(programs.map(({ addedBy }: { addedBy: string }) => addedBy))).toEqual(new Set(['DTP']))

    const admin = await fresh.createToken('admin@example.org', 'admin')
    for (const { id } of programs) await callApi(fresh, 'DELETE', `${PROGRAMS}/${id}`, { token: admin })
    expect(await addDefaultPrograms(services)).toBe(0)
    expect(await list(fresh)).toEqual([])
    await fresh.close()
  })

  test('are completed by the seed command', async () => {
    const fresh = await startSite()
    const { services } = fresh.app
    const admin = await fresh.createToken('admin@example.org', 'admin')
    await callApi(fresh, 'POST', PROGRAMS, { token: admin, json: { ...htop, description: 'our own' } })
    expect(await addDefaultPrograms(services)).toBe(0)
    expect(await addDefaultPrograms(services, true)).toBe(defaultPrograms.length - 1)
    expect(await addDefaultPrograms(services, true)).toBe(0)
    expect((await list(fresh)).find(({ name }: { name: string }) => name === 'htop').description).toBe('our own')
    await fresh.close()
  })
})
