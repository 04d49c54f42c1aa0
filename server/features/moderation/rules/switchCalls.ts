import { z } from 'zod'
import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { switchInput, switchSchema } from '#src/contract/switches.ts'
import { listSwitches, setSwitch } from './switches.ts'

const SWITCHES = '/api/moderation/switches'

const answer = z.object({ switches: z.array(switchSchema) })

export const switchRouter = router({
  list: documented(
    adminProcedure.query(({ ctx }) => listSwitches(ctx)),
    {
      method: 'GET',
      path: SWITCHES,
      summary: 'Lists the switches of the site',
      answer,
      respond: (switches) => ({ switches }),
    },
  ),
  set: documented(
    adminProcedure.input(switchInput).mutation(({ ctx, input }) => setSwitch(ctx, input, ctx.user)),
    {
      method: 'PUT',
      path: `${SWITCHES}/:name`,
      summary: 'Turns a switch on or off',
      answer,
      respond: (switches) => ({ switches }),
    },
  ),
})
