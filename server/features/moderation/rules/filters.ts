import { and, desc, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { pick } from '#db/schema/columns.ts'
import { filter } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { parseFilterValue } from '#server/features/moderation/admission/compileFilters.ts'
import { publishModeration } from '#server/features/moderation/queue/queueEvents.ts'
import {
  type FilterForm,
  filterDryRunSchema,
  filterForm,
  filterLimits,
  filterParams,
  filterSchema,
  filterSubject,
} from '#src/contract/filters.ts'
import { refusal } from '#src/contract/refusal.ts'
import { tryFilter } from './filterDryRun.ts'

type Writer = Pick<Context, 'db' | 'cache' | 'visitor' | 'now'>

const filterColumns = pick(filter, filterSchema.shape)

async function checkUnique(tx: Transaction, { kind, value }: Pick<FilterForm, 'kind' | 'value'>, id = 0) {
  const same = and(eq(filter.kind, kind), eq(filter.value, value), ne(filter.id, id))
  if ((await tx.$count(filter, same)) > 0) throw errors.conflict(refusal('moderation.filterExists'))
}

/** Runs a change of the filters. Concurrent writers wait, so that they cannot add the same filter twice; readers do not. */
const changeFilters = <T>(ctx: Writer, change: (tx: Transaction) => Promise<T>): Promise<T> =>
  writeAndPublish(ctx, async (tx) => {
    await tx.execute('lock table filter in share row exclusive mode')
    const changed = await change(tx)
    await publishModeration(tx, ctx.now(), 'filters')
    return changed
  })

/** Accepts the ids of the column, which is an integer. */
function parseFilterId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw errors.notFound(refusal('moderation.filterNotFound'))
  return Number(text)
}

const FILTERS = '/api/moderation/filters'

const answer = z.object({ filter: filterSchema })

export const filterRouter = router({
  list: documented(
    adminProcedure.query(({ ctx: { db } }) => db.select(filterColumns).from(filter).orderBy(desc(filter.id))),
    { path: FILTERS, summary: 'Lists the filters, newest first', answer: z.object({ filters: z.array(filterSchema) }) },
  ),
  create: documented(
    adminProcedure.input(filterForm).mutation(({ ctx, input }) => {
      const values = { ...input, value: parseFilterValue(input), createdAt: ctx.now(), createdBy: ctx.user.id }
      return changeFilters(ctx, async (tx) => {
        await checkUnique(tx, values)
        if ((await tx.$count(filter)) >= filterLimits.filters)
          throw errors.conflict(refusal('moderation.filterTooMany', { max: filterLimits.filters }))
        const [created] = await tx.insert(filter).values(values).returning(filterColumns)
        if (!created) throw new Error('INSERT returned no filter')
        return created
      })
    }),
    {
      path: FILTERS,
      summary: 'Creates a filter',
      answer,
      statuses: { 409: 'The filter exists, or there are too many' },
    },
  ),
  update: documented(
    adminProcedure.input(filterParams.and(filterForm)).mutation(({ ctx, input: { id: idText, ...form } }) => {
      const values = { ...form, value: parseFilterValue(form) }
      const id = parseFilterId(idText)
      return changeFilters(ctx, async (tx) => {
        const [changed] = await tx.update(filter).set(values).where(eq(filter.id, id)).returning(filterColumns)
        if (!changed) throw errors.notFound(refusal('moderation.filterNotFound'))
        await checkUnique(tx, values, id)
        return changed
      })
    }),
    {
      method: 'PUT',
      path: `${FILTERS}/:id`,
      summary: 'Changes a filter',
      answer,
      statuses: { 409: 'Another filter is the same' },
    },
  ),
  delete: documented(
    adminProcedure.input(filterParams).mutation(async ({ ctx, input }) => {
      const id = parseFilterId(input.id)
      await changeFilters(ctx, async (tx) => {
        const deleted = await tx.delete(filter).where(eq(filter.id, id)).returning({ id: filter.id })
        if (deleted.length === 0) throw errors.notFound(refusal('moderation.filterNotFound'))
      })
    }),
    { method: 'DELETE', path: `${FILTERS}/:id`, summary: 'Deletes a filter' },
  ),
  // A mutation, because a query would send the filter in the URL.
  dryRun: documented(
    adminProcedure.input(filterSubject).mutation(({ ctx, input }) => ctx.readLarge(() => tryFilter(ctx, input))),
    {
      path: `${FILTERS}/dry-run`,
      summary: 'Finds what a filter would have caught among the posts of the last week',
      answer: filterDryRunSchema,
    },
  ),
})
