import { desc, eq, sql } from 'drizzle-orm'
import { post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { LatestThread } from '#src/contract/board.ts'
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
      author: post.author,
      content: sql<string>`left(${post.content}, ${excerptSource})`,
      image: post.image,
      spoiler: post.spoiler,
    })
    .from(thread)
    .innerJoin(post, eq(post.id, thread.id))
    .where(isLive)
    .orderBy(desc(thread.lastActivity), desc(thread.id))
    .limit(count)
