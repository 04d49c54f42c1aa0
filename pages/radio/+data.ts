import type { PageContextServer } from 'vike/types'
import { loadPageData, readOnAir } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, config, siteUrl = '' }: Pick<PageContextServer, 'api' | 'config' | 'siteUrl'>) =>
  loadPageData(config, () => read(api, siteUrl))

async function read(api: PageContextServer['api'], siteUrl: string) {
  const [schedule, onAir] = await Promise.all([api.show.schedule({}), readOnAir(api)])
  return { schedule, onAir, siteUrl }
}
