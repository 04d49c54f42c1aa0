import { byteTarget } from './byteTarget.ts'
import { formTarget } from './formTarget.ts'
import type { FuzzContext } from './fuzzContext.ts'
import { fuzzTarget, type StatusCounts, type Target } from './fuzzTarget.ts'
import { pageTarget } from './pageTarget.ts'
import { restTarget } from './restTarget.ts'
import { trpcTarget } from './trpcTarget.ts'

type RunOptions = { runs: number; seed: number; statusCounts?: StatusCounts }

/** Wraps a target without its input type, so that all targets fit in one array. */
const wrap = <Input>(target: Target<Input>) => ({
  name: target.name,
  run: (context: FuzzContext, options: RunOptions) => fuzzTarget(context, target, options),
})
export const targets = [wrap(restTarget), wrap(trpcTarget), wrap(formTarget), wrap(byteTarget), wrap(pageTarget)]
