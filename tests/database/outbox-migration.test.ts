import { asc, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { job, outbox } from '#db/schema/index.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { migrateUntil, runStatements } from '#tests/helpers/olderDatabase.ts'

const AT = '2026-11-01 10:00:00+00'
const LATER = '2026-11-01 10:04:00+00'
const RADIO_CALL = { event: 'track.changed', at: 'x', title: 'Tide \ud800' }
const MODERATION_CALL = { event: 'report', count: 2, boards: ['tech'] }
const waiting = `
  insert into board (id, name, description) values ('tech', 'Tech', 'about');
  insert into alert (kind, board_id, count, created_at, sent_at)
    values ('raid', null, 1, '${AT}', '${AT}'), ('report', 'tech', 2, '${AT}', null), ('held', null, 1, '${AT}', null);
  insert into watch_alert (post_id, created_at) values (8, '${LATER}'), (9, '${AT}');
  select setval('webhook_delivery_id_seq', 40);
  insert into webhook_delivery (target, body, created_at, attempts, next_attempt_at)
    values ('radio', '${JSON.stringify(RADIO_CALL)}', '${AT}', 3, '${LATER}'),
      ('moderation', '${JSON.stringify(MODERATION_CALL)}', '${AT}', 0, '${AT}');
  insert into job (name, started_at) values ('alerts', '${AT}'), ('watch-alerts', '${AT}'), ('radio-webhooks', '${AT}'), ('events', '${AT}');`

let place: TestDatabase
beforeEach(async () => {
  place = await testDatabase(inject('database'), { migrated: false })
})
afterEach(() => place.cleanup())

const moved = [
  { id: 41, target: 'radio-webhook', message: RADIO_CALL, attempts: 3, nextAttemptAt: new Date(LATER) },
  { id: 42, target: 'moderation-webhook', message: MODERATION_CALL, nextAttemptAt: new Date(AT) },
  { id: 43, target: 'moderators', message: { kind: 'report', boardId: 'tech', count: 2 }, nextAttemptAt: new Date(AT) },
  { id: 44, target: 'moderators', message: { kind: 'held', boardId: null, count: 1 }, nextAttemptAt: new Date(AT) },
  { id: 45, target: 'watchers', message: { postId: 9 }, nextAttemptAt: new Date('2026-11-01 10:00:10+00') },
  { id: 46, target: 'watchers', message: { postId: 8 }, nextAttemptAt: new Date('2026-11-01 10:04:10+00') },
].map((row) => ({ attempts: 0, ...row }))

/** A released migration never changes, so its test runs on one database on a push. */
const migrationTest = test.runIf(isDeep || inject('database') === 'postgres')

migrationTest('moves waiting alerts and calls into the outbox; calls keep their ids and their text', async () => {
  await migrateUntil(place, '0035_outbox')
  await runStatements(place, waiting)
  const { db, close } = await openDatabase(place)
  expect(await db.select().from(outbox).orderBy(asc(outbox.id))).toEqual(moved)
  const [radio] = await db.execute<{ text: string }>(sql`select message::text as text from outbox where id = 41`)
  expect(radio?.text).toBe(JSON.stringify(RADIO_CALL))
  expect((await db.select().from(job)).map(({ name }) => name)).toEqual(['events'])
  await close()
})

migrationTest('keeps what waits if the migration is interrupted, and moves it at the next start', async () => {
  await migrateUntil(place, '0035_outbox')
  // The view prevents the last step of the migration.
  await runStatements(place, `${waiting} create view uses_alerts as select id from alert;`)
  await expect(openDatabase(place)).rejects.toThrow()
  await runStatements(place, 'drop view uses_alerts')
  const { db, close } = await openDatabase(place)
  expect(await db.select().from(outbox).orderBy(asc(outbox.id))).toEqual(moved)
  await close()
})
