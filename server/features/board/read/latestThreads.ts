import { desc, eq, sql } from 'drizzle-orm'
import { shownPost, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { LatestThread } from '#src/contract/thread.ts'
import { excerptSource } from '#src/lib/excerpt.ts'
import { isLive } from './threadConditions.ts'
import { latestThreadView } from './view.ts'

type Reader = Pick<Services, 'db'>

export async function listLatestThreads(ctx: Reader, count: number): Promise<LatestThread[]> {
  return (await latestThreadsQuery(ctx, count)).map(latestThreadView)
}

/** Exported for the test that checks the query plan. */
export const latestThreadsQuery = ({ db }: Reader, count: number) =>
  db
    .select({
      id: thread.id,
      boardId: thread.boardId,
      title: thread.title,
      lastActivity: thread.lastActivity,
      commentCount: thread.commentCount,
      author: shownPost.author,
      content: sql<string>`left(${shownPost.content}, ${excerptSource})`,
      image: shownPost.image,
      spoiler: shownPost.spoiler,
      stub: shownPost.stub,
    })
    .from(thread)
    .innerJoin(shownPost, eq(shownPost.id, thread.id))
    .where(isLive)
    .orderBy(desc(thread.lastActivity), desc(thread.id))
    .limit(count)
