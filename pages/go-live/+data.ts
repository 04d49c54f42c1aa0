import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, config }: PageContextServer) =>
  loadPageData(config, async () => ({ connection: await api.streamer.connection() }))
