import { router } from '#server/core/rpc/procedures.ts'
import { switchRouter } from './admission/switches.ts'
import { alertRouter } from './alerts/moderatorAlerts.ts'
import { log } from './log/log.ts'
import { act, restore } from './log/moderatePost.ts'
import { heldRouter } from './queue/heldPosts.ts'
import { queue, waiting } from './queue/queue.ts'
import { resolve, takedown } from './reports/removeItem.ts'
import { reportItem } from './reports/reports.ts'
import { banRouter } from './rules/banCalls.ts'
import { blockedImageRouter } from './rules/blockedImages.ts'
import { filterRouter } from './rules/filters.ts'
import { poster, removePoster } from './rules/removePoster.ts'

export const moderationRouter = router({
  alerts: alertRouter,
  blockedImages: blockedImageRouter,
  filters: filterRouter,
  held: heldRouter,
  act,
  poster,
  removePoster,
  restore,
  bans: banRouter,
  log,
  report: reportItem,
  queue,
  waiting,
  resolve,
  takedown,
  switches: switchRouter,
})
