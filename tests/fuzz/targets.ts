import { byteTarget } from './bytes.ts'
import { formTarget } from './forms.ts'
import { pageTarget } from './pages.ts'
import { restTarget } from './rest.ts'
import type { FuzzContext } from './stage.ts'
import { fuzzTarget, type StatusCounts, type Target } from './target.ts'
import { trpcTarget } from './trpc.ts'

type RunOptions = { runs: number; seed: number; statusCounts?: StatusCounts }

/** All entry points, wrapped because their input types differ. */
const wrap = <Input>(target: Target<Input>) => ({
  name: target.name,
  run: (context: FuzzContext, options: RunOptions) => fuzzTarget(context, target, options),
})
export const targets = [wrap(restTarget), wrap(trpcTarget), wrap(formTarget), wrap(byteTarget), wrap(pageTarget)]
