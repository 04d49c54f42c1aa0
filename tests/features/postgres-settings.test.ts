import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { openForRestore } from '#db/maintenance.server.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

/** Values of an operator's role, database or server that change results or their text. */
const SETTINGS = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'iso_8601',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  array_nulls: 'off',
  transform_null_equals: 'on',
  standard_conforming_strings: 'off',
  gin_fuzzy_search_limit: '1',
  default_transaction_isolation: 'serializable',
}

describe('the site on an operator’s PostgreSQL', () => {
  let place: TestDatabase & { databaseUrl: string }
  let name: string
  beforeEach(async () => {
    const database = await testDatabase()
    place = { ...database, databaseUrl: database.databaseUrl ?? '' }
    name = new URL(place.databaseUrl).pathname.slice(1)
  })
  afterEach(() => place.cleanup())

  const asOperator = async (statements: string[], database = name) => {
    const url = new URL(place.databaseUrl)
    url.pathname = `/${database}`
    const sql = postgres(url.href, { max: 1, onnotice: () => {} })
    for (const statement of statements) await sql.unsafe(statement)
    await sql.end()
  }

  test('does not depend on settings of the database', async () => {
    await asOperator(Object.entries(SETTINGS).map(([key, value]) => `alter database ${name} set ${key} to '${value}'`))
    const reference = await testDatabase()
    const read = async (location: TestDatabase) => {
      const { sql, close } = await openDatabase(location)
      const [row] = await sql`select timestamptz '2026-11-05 12:00Z' as at, date '2026-11-05' as day,
        interval '1 day 2 hours' as pause, '\\xff00'::bytea as bytes, 0.1::float8 + 0.2::float8 as sum,
        '{null}'::text[] as list, (1 = null)::text as compared, '\\n' as text,
        current_setting('transaction_isolation') as isolation, current_setting('gin_fuzzy_search_limit') as fuzzy`
      await close()
      return row
    }
    expect(await read(place)).toEqual(await read(reference))
    await reference.cleanup()
  })

  test.each(['LATIN1', 'SQL_ASCII'])('does not start or restore on a database of encoding %s', async (encoding) => {
    const other = `${name}_${encoding.toLowerCase()}`
    await asOperator([`create database ${other} encoding '${encoding}' locale 'C' template template0`], 'postgres')
    const databaseUrl = new URL(place.databaseUrl)
    databaseUrl.pathname = `/${other}`
    const location = { ...place, databaseUrl: databaseUrl.href }
    const refusal = `The database ${other} has the encoding ${encoding}, which cannot store all characters. Create one with ENCODING 'UTF8' TEMPLATE template0`
    expect(await runCommand(location, ['main'])).toEqual({ code: 1, output: `${refusal}\n` })
    await expect(openForRestore(location)).rejects.toThrow(refusal)
    await asOperator([`drop database ${other} with (force)`], 'postgres')
  })

  test('says which right its role lacks, and how to give it', async () => {
    const other = `${name}_weak`
    await asOperator([`create role ${other} login password 'weak'`, `create database ${other}`], 'postgres')
    const databaseUrl = Object.assign(new URL(place.databaseUrl), {
      pathname: other,
      username: other,
      password: 'weak',
    })
    const location = { ...place, databaseUrl: databaseUrl.href }
    const refusal = 'Cannot create or change the tables of the database: permission denied for'
    await expect(openDatabase(location)).rejects.toThrow(`${refusal} database ${other}. Make the role its owner: `)
    await asOperator([`grant all on database ${other} to ${other}`], 'postgres')
    await expect(openDatabase(location)).rejects.toThrow(`${refusal} schema public. `)
    await asOperator([`alter database ${other} owner to ${other}`], 'postgres')
    await (await openDatabase(location)).close()
    await asOperator([`drop database ${other} with (force)`, `drop role ${other}`], 'postgres')
  })
})
