import { readFile } from 'node:fs/promises'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { explain } from '#server/commands/command.ts'

test('prints the cause of a failed query, without the query and its values', () => {
  const query = new DrizzleQueryError('insert into post values ($1)', ['text'], new Error('disk full'))
  expect(explain(query)).toBe('The database refused a query: disk full')
  expect(explain(new Error('other'))).toBe('other')
})

test('names the file that cannot be used, and why', async () => {
  const failure = await readFile('/nowhere/site.backup').catch((error: unknown) => error)
  expect(explain(failure)).toBe('Cannot use /nowhere/site.backup: no such file or directory')
})
