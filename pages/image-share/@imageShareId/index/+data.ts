import type { PageContextServer } from 'vike/types'
import { load } from '#pages/load.ts'
import { imageMessages } from '#src/contract/image.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { imageShareId = '' } }: PageContextServer) =>
  load(api.image.share({ id: imageShareId }), imageMessages.loadShare)
