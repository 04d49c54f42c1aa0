import { sql } from 'drizzle-orm'
import { board, importedBoard, importedRange, shownPost, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { BoardLink } from '#src/contract/post.ts'
import { listBoardLinks } from '#src/lib/markup.ts'

/** bigint columns come as text. */
type FoundLink = { from: string; text: string; boardId: string; threadId: string | null; id: string | null }

/** A row or a view of a post. In long lists, posts have no texts. */
type LinkingPost = { id: number; content: string | null; boardLinks?: BoardLink[] | undefined }

const MAX_PER_POST = 10
/** Limits the lookups of a thread. Links of later posts stay text. */
const MAX_TOTAL = 200

/**
 * Adds the targets of links such as `>>>/tech/` and `>>>/tech/123` to posts. A number is looked up on all boards, because
 * threads move. In imported posts, names and numbers are those of the old site.
 */
export async function addBoardLinks({ db }: Pick<Services, 'db'>, rows: LinkingPost[]): Promise<void> {
  const wanted = rows
    .flatMap(({ id, content }) => (content?.includes('>>>/') ? { id, content } : []))
    .flatMap(({ id, content }) =>
      listBoardLinks(content)
        .slice(0, MAX_PER_POST)
        .map((link) => ({ from: id, text: link.text, name: link.boardId, number: link.id })),
    )
    .slice(0, MAX_TOTAL)
  if (wanted.length === 0) return
  const found = await db.execute<FoundLink>(sql`
    select given."from", given.text, coalesce(target.board_id, known.id) as "boardId",
      target.thread_id as "threadId", target.id
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as given("from" bigint, text text, name text, number bigint)
    cross join lateral (select exists (select from ${importedRange} where given."from"
      between ${importedRange.first} + ${importedRange.shift} and ${importedRange.last} + ${importedRange.shift}) as is_imported) as source
    cross join lateral (select ${board.id} from ${board} where ${board.deletedAt} is null and ${board.id} = coalesce(
      (select ${importedBoard.boardId} from ${importedBoard} where source.is_imported and ${importedBoard.name} = given.name),
      given.name)) as known
    left join lateral (select ${shownPost.id}, ${shownPost.threadId}, ${thread.boardId} from ${shownPost}
      join ${thread} on ${thread.id} = ${shownPost.threadId}
      where ${shownPost.id} = case when source.is_imported then given.number + (
          select ${importedRange.shift} from ${importedRange} where ${importedRange.source} = given.name
            and given.number between ${importedRange.first} and ${importedRange.last} limit 1)
        else given.number end) as target on given.number is not null
    where given.number is null or target.id is not null
    order by given.text collate "C"`)
  for (const row of rows) {
    const own = found.filter((link) => Number(link.from) === row.id)
    if (own.length > 0) row.boardLinks = own.map(toView)
  }
}

const toView = ({ text, boardId, threadId, id }: FoundLink): BoardLink => ({
  text,
  boardId,
  ...(threadId !== null && { threadId: Number(threadId), id: Number(id) }),
})
