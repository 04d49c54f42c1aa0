import { readFile } from 'node:fs/promises'
import { TRPCError } from '@trpc/server'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { loggedError } from '#server/core/errors.ts'

test('logs the type, code and stack of an error, but no user input', () => {
  const driver = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    detail: 'Key (email)=(secret@example.org) already exists',
    parameters: ['secret text'],
  })
  const query = new DrizzleQueryError('insert into post values ($1)', ['secret text\n    at secret place'], driver)
  const logged = loggedError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: query }))
  expect(JSON.stringify(logged)).not.toContain('secret')
  expect(logged).toMatchObject({
    type: 'TRPCError',
    causes: [{ message: 'Failed query: insert into post values ($1)' }, { code: '23505' }],
  })
  expect(logged.stack).toContain('logged-error.test.ts')
  expect(loggedError('just a text')).toMatchObject({ type: 'Error' })
})

test('logs no file path and no value that PostgreSQL rejected', async () => {
  const opening = await readFile('/no such folder/secret-name.png').catch((error) => error)
  expect(JSON.stringify(loggedError(opening))).not.toContain('secret')
  expect(loggedError(opening)).toMatchObject({ message: 'ENOENT: open', code: 'ENOENT' })
  const wrapped = new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: opening })
  expect(JSON.stringify(loggedError(wrapped))).not.toContain('secret')
  const value = Object.assign(new Error('invalid input syntax for type integer: "secret"'), {
    severity: 'ERROR',
    code: '22P02',
    routine: 'pg_strtoint32_safe',
  })
  expect(loggedError(value)).toMatchObject({ message: 'pg_strtoint32_safe', code: '22P02' })
  const full = Object.assign(new Error('could not extend file: No space left on device'), {
    severity: 'ERROR',
    code: '53100',
  })
  expect(loggedError(full)).toMatchObject({ message: 'could not extend file: No space left on device' })
})
