import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { jobRef } from '#src/contract/operations.ts'
import { readBranding } from './branding.ts'
import { listJobs, runJob } from './jobs.ts'
import { readOverview } from './overview.ts'
import { readStorage } from './storage.ts'

export const operationsRouter = router({
  overview: adminProcedure.query(({ ctx }) => readOverview(ctx)),
  branding: adminProcedure.query(({ ctx }) => readBranding(ctx)),
  storage: adminProcedure.query(({ ctx }) => readStorage(ctx)),
  jobs: adminProcedure.query(({ ctx }) => listJobs(ctx)),
  runJob: adminProcedure.input(jobRef).mutation(({ ctx, input }) => runJob(ctx, input.name)),
})
