import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { testDatabase } from '#tests/helpers/databases.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const applies = process.getuid?.() === 0

test.skipIf(!applies)('starts PostgreSQL as root from a checkout that its user may not enter', async () => {
  const place = await testDatabase()
  const { sql, close } = await openDatabase(place)
  const folders = await sql`
    select setting from pg_config where setting like '/%'
    union all select current_setting('data_directory')`
  expect(folders.length).toBeGreaterThan(5)
  expect(folders.map(({ setting }) => setting).filter((setting) => setting.startsWith(ROOT))).toEqual([])
  await close()
  await place.cleanup()
})
