import type { PageContextServer } from 'vike/types'
import { programMessages } from '#src/contract/program.ts'
import { load } from '../load.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, urlParsed: { search } }: PageContextServer) => {
  const filter = { q: search.q ?? '', category: search.category ?? '' }
  const read = async () => ({ list: await api.program.list(), filter })
  return load(read(), programMessages.load)
}
