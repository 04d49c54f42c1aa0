import type { PageContextServer } from 'vike/types'
import { readOnAir } from '#pages/onAir.ts'
import { loadPageData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, siteUrl = '' }: Pick<PageContextServer, 'api' | 'siteUrl'>) =>
  loadPageData(read(api, siteUrl), t('show.loadFailed'))

async function read(api: PageContextServer['api'], siteUrl: string) {
  const [schedule, onAir] = await Promise.all([api.show.schedule({}), readOnAir(api)])
  return { schedule, onAir, siteUrl }
}
