import { z } from 'zod'
import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { filterDryRunSchema, filterForm, filterParams, filterSchema, filterSubject } from '#src/contract/filters.ts'
import { tryFilter } from './filterDryRun.ts'
import { createFilter, deleteFilter, listFilters, updateFilter } from './filters.ts'

const FILTERS = '/api/moderation/filters'

const answer = z.object({ filter: filterSchema })

export const filterRouter = router({
  list: documented(
    adminProcedure.query(({ ctx }) => listFilters(ctx)),
    {
      method: 'GET',
      path: FILTERS,
      summary: 'Lists the filters, newest first',
      answer: z.object({ filters: z.array(filterSchema) }),
    },
  ),
  create: documented(
    adminProcedure.input(filterForm).mutation(({ ctx, input }) => createFilter(ctx, input, ctx.user.id)),
    {
      method: 'POST',
      path: FILTERS,
      summary: 'Creates a filter',
      answer,
      statuses: { 409: 'The filter exists, or there are too many' },
    },
  ),
  update: documented(
    adminProcedure
      .input(filterParams.and(filterForm))
      .mutation(({ ctx, input: { id, ...form } }) => updateFilter(ctx, id, form)),
    {
      method: 'PUT',
      path: `${FILTERS}/:id`,
      summary: 'Changes a filter',
      answer,
      statuses: { 409: 'Another filter is the same' },
    },
  ),
  delete: documented(
    adminProcedure.input(filterParams).mutation(({ ctx, input }) => deleteFilter(ctx, input.id)),
    {
      method: 'DELETE',
      path: `${FILTERS}/:id`,
      summary: 'Deletes a filter',
      answer: null,
    },
  ),
  // A mutation, because a query would send the filter in the URL.
  dryRun: documented(
    adminProcedure.input(filterSubject).mutation(({ ctx, input }) => ctx.readLarge(() => tryFilter(ctx, input))),
    {
      method: 'POST',
      path: `${FILTERS}/dry-run`,
      summary: 'Finds what a filter would have caught among the posts of the last week',
      answer: filterDryRunSchema,
    },
  ),
})
