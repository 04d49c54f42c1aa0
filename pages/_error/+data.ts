import type { PageContextServer } from 'vike/types'

export type Data = Awaited<ReturnType<typeof data>>

/** Runs only for pages that the server renders. In the browser, the error page loads its threads itself. */
export const data = async ({ liveThreads }: PageContextServer) => ({ threads: await liveThreads() })
