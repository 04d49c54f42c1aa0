import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { filterForm, filterParams, filterSubject } from '#src/contract/filterForms.ts'
import { tryFilter } from './filterDryRun.ts'
import { createFilter, deleteFilter, listFilters, updateFilter } from './filters.ts'

export const filterRouter = router({
  list: adminProcedure.query(({ ctx }) => listFilters(ctx)),
  create: adminProcedure.input(filterForm).mutation(({ ctx, input }) => createFilter(ctx, input, ctx.user.id)),
  update: adminProcedure
    .input(filterParams.and(filterForm))
    .mutation(({ ctx, input: { id, ...form } }) => updateFilter(ctx, id, form)),
  delete: adminProcedure.input(filterParams).mutation(({ ctx, input }) => deleteFilter(ctx, input.id)),
  // A mutation, because a query would send the filter in the URL.
  dryRun: adminProcedure.input(filterSubject).mutation(({ ctx, input }) => ctx.readLarge(() => tryFilter(ctx, input))),
})
