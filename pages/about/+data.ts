import type { PageContextServer } from 'vike/types'

export type Data = ReturnType<typeof data>

/** Its texts come from the settings, and with no other page. */
export const data = ({ about }: PageContextServer) => about
