import { byteTarget } from './bytes.ts'
import { formTarget } from './forms.ts'
import { pageTarget } from './pages.ts'
import { restTarget } from './rest.ts'
import type { Stage } from './stage.ts'
import { type Tally, type Target, tryTarget } from './target.ts'
import { trpcTarget } from './trpc.ts'

type How = { runs: number; seed: number; tally?: Tally }

/** All ways in; wrapped, for each guesses something else. */
const wrap = <Guess>(target: Target<Guess>) => ({
  name: target.name,
  attempt: (stage: Stage, how: How) => tryTarget(stage, target, how),
})
export const targets = [wrap(restTarget), wrap(trpcTarget), wrap(formTarget), wrap(byteTarget), wrap(pageTarget)]
