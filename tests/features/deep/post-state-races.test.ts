import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { board, type FurtherImage, type StoredImage, thread } from '#db/schema/index.ts'
import { publicName } from '#server/core/storage/fileStore.ts'
import { filesOfPost } from '#server/core/storage/imageFiles.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { archiveThreads } from '#server/features/board/write/threadArchive.ts'
import { releaseHeldPosts } from '#server/features/moderation/queue/heldPosts.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { fc } from '#tests/helpers/property.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

const BOARD_IDS = ['one', 'two'] as const
const THREAD_LIMIT = 6
const ROUNDS = 40
const AT_ONCE = 10

/** A post as its author knows it: where it was written, and its token. */
type Own = { id: number; threadId: number; commentId: number | null; boardId: string; token: string }

let site: TestSite
let admin: string
let moderator: string
const posts: Own[] = []
const statuses = new Map<string, number>()

beforeAll(async () => {
  site = await startSite({ THREAD_POST_LIMIT: '12' })
  admin = await site.createToken('admin@example.org', 'admin')
  moderator = await site.createToken('moderator@example.org')
  for (const name of BOARD_IDS) {
    await createBoard(site, name, admin)
    await changeModerator(site.app.services, name, 'add', 'moderator@example.org')
  }
  await site.app.services.db.update(board).set({ threadLimit: THREAD_LIMIT })
  const json = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  expect((await callApi(site, 'POST', '/api/moderation/filters', { json, token: admin })).status).toBe(200)
})
afterAll(() => site.close())

/** Random whole numbers from fast-check's seed. */
const numbers = fc.sample(fc.nat(1_000_000), 30_000)
let used = 0
const random = (max: number) => (numbers[used++ % numbers.length] ?? 0) % max
const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item

const words = () =>
  [
    oneOf(['Good', 'doubtful', 'Plain']),
    ...(posts.length > 0 ? [`>>${oneOf(posts).id}`, `>>${oneOf(posts).id}`] : []),
  ].join(' ')
let images = 0
/** A takedown blocks the images that look alike. */
async function createImage(): Promise<File> {
  const bytes = await openRaw(await createVariedImage(++images))
    .png()
    .toBuffer()
  return new File([new Uint8Array(bytes)], 'p.png', { type: 'image/png' })
}
const fields = async () => ({ content: words(), ...(random(5) === 0 && { image: await createImage() }) })

const call = (method: string, url: string, json: object = {}, token = oneOf([admin, moderator])) =>
  callApi(site, method, url, { json, token })
/** One of the newest posts: most of the others are gone. */
const recent = () => oneOf(posts.slice(-25))
const act = (action: string, more = {}) => {
  const { id, boardId } = recent()
  return call('POST', '/api/moderation/act', { boardId, postId: id, action, ...more })
}

const OPERATIONS: Record<string, () => Promise<{ status: number }>> = {
  async thread() {
    const boardId = oneOf(BOARD_IDS)
    const answer = await postThread(site, boardId, await fields())
    const { thread, deleteToken } = answer.body
    if (thread) posts.push({ id: thread.id, threadId: thread.id, commentId: null, boardId, token: deleteToken })
    return answer
  },
  async comment() {
    const { boardId, threadId } = recent()
    const answer = await postComment(site, { boardId, threadId }, await fields())
    const { comment, deleteToken } = answer.body
    if (comment) posts.push({ id: comment.id, threadId, commentId: null, boardId, token: deleteToken })
    return answer
  },
  async reply() {
    const { boardId, threadId, id, commentId } =
      oneOf(posts.filter((one) => one.id !== one.threadId).slice(-15)) ?? recent()
    const to = commentId ?? id
    const answer = await postComment(site, { boardId, threadId, commentId: to }, await fields())
    const { reply, deleteToken } = answer.body
    if (reply) posts.push({ id: reply.id, threadId, commentId: to, boardId, token: deleteToken })
    return answer
  },
  withdraw() {
    const { boardId, threadId, id, commentId, token } = recent()
    const thread = `${BOARDS}/${boardId}/threads/${threadId}`
    const comment = `${thread}/comments/${commentId ?? id}`
    const url = id === threadId ? thread : commentId === null ? comment : `${comment}/replies/${id}`
    return callApi(site, 'DELETE', `${url}?deleteToken=${token}`)
  },
  delete: () => act('delete'),
  deleteImage: () => act('delete-image'),
  flag: () => act(oneOf(['lock', 'unlock', 'pin', 'unpin', 'cycle', 'uncycle', 'bumplock', 'spoiler', 'unspoiler'])),
  unlock: () => act('unlock'),
  unarchive: () => act('unarchive'),
  move: () => act('move', { toBoard: oneOf(BOARD_IDS) }),
  async restore() {
    const { body } = await callApi(site, 'GET', '/api/moderation/log')
    const entries = body.entries.filter(({ canRestore }: { canRestore: boolean }) => canRestore)
    if (entries.length === 0) return { status: 0 }
    return call('POST', '/api/moderation/restore', { logId: oneOf<{ id: number }>(entries).id })
  },
  decide: () => decide(oneOf(['approve', 'refuse'])),
  approve: () => decide('approve'),
  refuseAll: () =>
    random(4) > 0 ? post('reply') : call('POST', '/api/moderation/held/refuse', { heldFor: 'filter 1: doubtful' }),
  poster: () => {
    if (random(8) > 0) return post('thread')
    const { id, boardId } = recent()
    return call('POST', '/api/moderation/poster/delete', { boardId, postId: id, scope: 'board', width: 'host' })
  },
  takeDown: () => {
    if (random(4) > 0) return post('comment')
    const { id, boardId, threadId } = recent()
    return call('POST', '/api/moderation/takedowns', { url: `/dtpchan/board/${boardId}/thread/${threadId}#p${id}` })
  },
  async jobs() {
    await archiveThreads(site.app.services, new AbortController().signal)
    await releaseHeldPosts(site.app.services)
    return { status: 200 }
  },
}
/** Posting comes more often, so that there is something to remove. */
const CHOICES = [
  ...Object.keys(OPERATIONS),
  ...['thread', 'comment', 'comment', 'comment', 'reply', 'reply', 'approve'],
]

const post = (kind: 'thread' | 'comment' | 'reply') => OPERATIONS[kind]?.() ?? Promise.resolve({ status: 0 })

async function decide(action: 'approve' | 'refuse') {
  const { body } = await call('GET', '/api/moderation/queue?kind=held')
  if (body.items.length === 0) return { status: 0 }
  const { post } = oneOf<{ post: { id: number } }>(body.items)
  return call('POST', `/api/moderation/held/${post.id}/${action}`)
}

/** The old URLs of a thread redirect, which no call documents. */
function toMoved(error: Error): { status: number } {
  if (!error.message.includes('answers 308')) throw error
  return { status: 308 }
}

async function findMoved(): Promise<void> {
  const rows = await site.app.services.db.select({ id: thread.id, boardId: thread.boardId }).from(thread)
  const boards = new Map(rows.map(({ id, boardId }) => [id, boardId]))
  for (const own of posts) own.boardId = boards.get(own.threadId) ?? own.boardId
}

type Problem = { problem: string; id: string | number }

/** Finds rows that contradict each other. */
async function findProblems(): Promise<Problem[]> {
  const { db, files } = site.app.services
  const rows = await db.execute<Problem>(sql`
    with counted as (
      select t.id,
        count(p.id) filter (where p.parent_id is null and p.id <> t.id) as comments,
        count(p.id) filter (where p.parent_id is not null) as replies,
        coalesce(sum(case when p.image_id is null then 0 else 1 + coalesce(jsonb_array_length(p.more_images), 0) end), 0) as images
      from thread t left join post p on p.thread_id = t.id and p.state = 'live' group by t.id),
    answered as (select p.id, p.state, p.stub, exists (select from moderation_log l where l.id = p.log_id and l.role = 'author') as withdrawn,
      exists (select from post a where (a.state = 'live' or a.stub) and (a.parent_id = p.id or (a.thread_id = p.id and a.id <> p.id))) as has_answers
      from post p)
    select 'counts' as problem, t.id from thread t join counted c on c.id = t.id where t.deleted_at is null
      and (t.comment_count, t.reply_count, t.image_count) is distinct from (c.comments::int, c.replies::int, c.images::int)
    union all select 'visible thread without opening post', t.id from thread t join post p on p.id = t.id
      where (t.deleted_at is null) <> (p.state = 'live' or p.stub)
    union all select 'post in hidden thread', p.id from post p join thread t on t.id = p.thread_id
      where t.deleted_at is not null and (p.state = 'live' or p.stub)
    union all select 'reply without comment', p.id from post p join post c on c.id = p.parent_id
      where (p.state = 'live' or p.stub) and not (c.state = 'live' or c.stub)
    union all select 'quote of a hidden post', q.from_id from quote q join post p on p.id = q.from_id where p.state <> 'live'
    union all select 'words of a hidden post', s.post_id from post_search s join post p on p.id = s.post_id where p.state <> 'live'
    union all select 'no words', p.id from post p where p.state = 'live' and not exists (select from post_search s where s.post_id = p.id)
    union all select 'twice in the search', post_id from post_search group by post_id having count(*) > 1
    union all select 'words of another board', s.post_id from post_search s join post p on p.id = s.post_id
      join thread t on t.id = p.thread_id where not s.vector @@ array_to_string(array[quote_literal(' g' || t.board_id)], '')::tsquery
    union all select 'stub', id from answered where stub is distinct from (state in ('removed', 'erased') and withdrawn and has_answers)
    union all select 'pins', count(*) from thread where pinned and deleted_at is null and archived_at is null group by board_id having count(*) > 10
    union all select 'negative', id from thread where least(byte_count, node_count, comment_count, reply_count, image_count) < 0
    union all select 'changed before its posts', t.id from thread t where t.changed_at < t.last_activity`)
  const names = new Set<string>()
  for await (const { name } of files.list()) names.add(name)
  const stored = await db.execute<{
    id: string
    state: string
    image: StoredImage
    moreImages: FurtherImage[] | null
  }>(sql`select id, state, image, more_images as "moreImages" from post where image_id is not null`)
  const ofFiles = stored.flatMap((row) =>
    filesOfPost(row).flatMap((name): Problem[] => {
      const isWithheld = [...names].some((one) => publicName(one) === name)
      const isRight = row.state === 'live' ? names.has(name) && !isWithheld : isWithheld && !names.has(name)
      return isRight ? [] : [{ problem: `file ${name} of a ${row.state} post`, id: row.id }]
    }),
  )
  return [...rows, ...ofFiles]
}

test('keeps threads, quotes, words and files consistent, whatever is done at the same time', async () => {
  for (let first = 0; first < 4; first++) await OPERATIONS.thread?.()
  for (let round = 0; round < ROUNDS; round++) {
    const chosen = Array.from({ length: AT_ONCE }, () => oneOf(CHOICES))
    const answers = await Promise.all(chosen.map((name) => OPERATIONS[name]?.().catch(toMoved)))
    await findMoved()
    for (const [index, answer] of answers.entries()) {
      const key = `${chosen[index]} ${answer?.status}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
    }
    expect({ round, chosen, problems: await findProblems() }).toEqual({ round, chosen, problems: [] })
  }
  const seen = [...statuses.keys()]
  expect(seen.filter((key) => Number(key.split(' ')[1]) >= 500)).toEqual([])
  expect(seen).toEqual(expect.arrayContaining(['comment 200', 'restore 200', 'withdraw 200']))
}, 300_000)
