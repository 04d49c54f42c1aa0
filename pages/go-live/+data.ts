import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { streamerMessages } from '#src/contract/streamer.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api }: PageContextServer) => {
  const read = async () => ({ connection: await api.streamer.connection() })
  return loadPageData(read(), streamerMessages.connection)
}
