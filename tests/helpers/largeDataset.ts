import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { extendTransactionTimeout } from '#db/queryWatchdog.server.ts'

/** Numbers of threads and articles. There are about four posts per thread. */
export const THREADS = 5000
export const ARTICLES = 5000
/** Threads 1 to 50 are in the board `quiet`. Of threads 51 to 3000, every fourth is in `old`. */
const QUIET_THREADS = 50
const OLD_THREADS = 3000
/** number of newest threads that have nine comments instead of three */
const BUSY_THREADS = 200
/** id of the newest thread, which has 250 posts */
export const LONG_THREAD_ID = THREADS * 10
/** id of a shared image */
export const SHARE_ID = 'share0000000000000001A'

const TIME = sql`timestamptz '2024-01-01'`

const FILE = { name: 'a.webp', width: 1, height: 1 }
const IMAGE = { ...FILE, bytes: 1, animated: false, preview: FILE, display: FILE }

/** Returns the cursor of the nth thread: last activity and id. */
export const threadCursor = (n: number) => `${Date.UTC(2024, 0, 1) + n * 60_000}-${n * 10}`

/**
 * Fills an empty database with boards, threads, posts, articles, images and pastes. One in five threads is deleted. The
 * board `busy` has pinned threads, and most threads of `third` are archived.
 */
export async function seedLargeDataset(db: Database, now: Date): Promise<void> {
  const statements: SQL[] = [
    sql`insert into "user" (id, email, password_hash, role)
      select 'u' || n, n || '@example.org', '', 'member' from generate_series(1, 20) n`,
    sql`insert into board (id, name, description)
      select id, id, 'about' from unnest(array['busy', 'other', 'third', 'old', 'quiet', 'empty']) id`,
    sql`insert into moderator (board_id, user_id) select board.id, "user".id from board, "user"`,
    sql`insert into thread (id, board_id, title, last_activity, comment_count, deleted_at)
      select n * 10, case when n <= ${QUIET_THREADS}::int then 'quiet' when n % 4 = 1 and n <= ${OLD_THREADS}::int then 'old'
        when n % 4 < 2 then 'busy' when n % 4 = 2 then 'other' else 'third' end, 'Thread ' || n, ${TIME} + n * interval '1 minute', 3,
        case when n % 10 in (4, 5) then ${TIME} end
      from generate_series(1, ${THREADS}::int) n`,
    sql`update thread set pinned = true where board_id = 'busy' and id % 8000 = 0`,
    sql`update thread set archived_at = ${TIME} where board_id = 'third' and id < ${(THREADS - 80) * 10}::int`,
    sql`insert into post (id, thread_id, author, content, created_at)
      select t.id + c, t.id, 'gl1tch', '>>' || t.id || ' Some words of a post', t.last_activity
      from thread t, generate_series(0, case when t.id > ${(THREADS - BUSY_THREADS) * 10}::int then 9 else 3 end) c
      where t.deleted_at is null`,
    sql`insert into post (id, thread_id, parent_id, author, content, created_at)
      select ${LONG_THREAD_ID}::int + n, ${LONG_THREAD_ID}::int, case when n % 3 = 0 then ${LONG_THREAD_ID + 1}::int end, 'ferrite', '>>>', ${TIME}
      from generate_series(10, 249) n`,
    sql`select index_posts(array(select id from post))`,
    sql`insert into quote (from_id, to_id) select id, thread_id from post where id > thread_id`,
    sql`insert into quote (from_id, to_id) select id, id - 9 from post where id > ${LONG_THREAD_ID + 10}::int`,
    sql`insert into event (topic, change, created_at)
      select 'board:busy', '{"kind": "thread", "threadId": 10}', ${TIME} from generate_series(1, ${THREADS}::int)`,
    sql`insert into moderation_log (at, action, role, board_id)
      select ${TIME}, 'delete', 'moderator', 'busy' from generate_series(1, ${THREADS}::int)`,
    sql`insert into program (name, link, description, added_by, category, created_at, updated_at)
      select 'Program ' || n, 'https://example.org', 'text', 'me', 'Other', ${TIME}, ${TIME} from generate_series(1, 60) n`,
    sql`insert into image_share (id, image_id, image, created_at, expires_at, delete_hash)
      select 'share' || lpad(n::text, 16, '0') || 'A', n, ${JSON.stringify(IMAGE)}::jsonb, ${TIME}, 'infinity', ''
      from generate_series(1, 2000) n`,
    sql`insert into paste (lookup, sealed, created_at, expires_at, flags, delete_hash)
      select sha256(n::text::bytea), '', ${TIME}, 'infinity', 0, '' from generate_series(1, 2000) n`,
    sql`insert into feed (url, next_at) values ('https://example.org/feed', ${TIME})`,
    // every hundredth article is from `rare.example`
    sql`insert into article (feed_url, guid, url, url_key, title, source, published_at, seen_at)
      select 'https://example.org/feed', n, 'https://example.org/' || n, n, repeat('Some words ', 8),
        case when n % 100 = 0 then 'rare' else 's' || n % 15 end || '.example',
        ${now.toISOString()}::timestamptz - n * interval '16 minutes', ${TIME}
      from generate_series(1, ${ARTICLES}::int) n`,
  ]
  await db.transaction(async (tx) => {
    await extendTransactionTimeout(tx, 60_000)
    // skips triggers and foreign key checks, which would take most of the time
    await tx.execute(sql`set local session_replication_role = replica`)
    for (const statement of statements) await tx.execute(statement)
  })
}
