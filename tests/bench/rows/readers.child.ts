import { encode } from '#tests/bench/connection.ts'
import { type Load, repeatAll, runLoad } from '#tests/bench/load.ts'
import { percentile } from '#tests/bench/statistics.ts'
import { pageRequest } from './pages.ts'

export type ReadersTask = Load & { port: number; path: string }

process.on('message', async ({ port, path, ...load }: ReadersTask) => {
  const { times } = await runLoad(port, load, repeatAll([encode(pageRequest(path))]))
  process.send?.({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) })
  process.disconnect()
})
