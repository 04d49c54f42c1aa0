import type { Database } from '#db/client.server.ts'
import type { Services } from '#server/core/context.ts'

/** Which of these files belong to an article. */
export async function articleFiles(_db: Database, _names: string[]): Promise<string[]> {
  return []
}

/** Asks every feed whose time has come. */
export async function gatherNews(_services: Services, _signal: AbortSignal): Promise<void> {}

/** Gets pictures for articles that wait for one. */
export async function fetchArticleImages(_services: Services, _signal: AbortSignal): Promise<void> {}

/** Deletes articles of more than 60 days, with their pictures. */
export async function sweepNews(_services: Services, _signal: AbortSignal): Promise<void> {}
