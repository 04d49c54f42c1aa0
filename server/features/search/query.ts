import { type SQL, sql } from 'drizzle-orm'
import { post, postSearch, type StoredImage, thread } from '#db/schema/index.ts'
import { type SearchInput, searchLimits } from '#src/contract/search.ts'
import type { Term } from '#src/contract/searchQuery.ts'
import { coverDays } from './dayLabels.ts'

/** Posts whose numbers differ only in these low bits form a block, as in the SQL function `index_posts`. */
const SMALL_BLOCK_BITS = sql.raw('12')
const LARGE_BLOCK_BITS = sql.raw('16')
/**
 * A search that reads fewer posts than this visits all at once. A phrase reads every post with its words, in any order.
 */
const FEW_MATCHES = 4000
/** A smaller sample of posts says nothing about the others. */
const MIN_SAMPLE = 1000
/** The option of `ts_rank` that divides by the logarithm of the length, so that long posts do not always win. */
const RANK_BY_LENGTH = 1

/**
 * Ends searches that visit many posts without enough matches, such as a phrase of common words. The current block is
 * finished first.
 */
const MAX_VISIT_MS = 500

/**
 * Where a page of a search begins. `newest` is the newest post that may be found: new posts do not shift the pages. `last`
 * is the last hit of the page before, if the hits are ranked.
 */
export type SearchCursor = { newest?: number; last?: { rank: number; id: number } }

/** bigint columns come as text. A search without hits has one row whose `id` is null. */
export type FoundRow = {
  /** the search ended before it visited all posts */
  isCut: boolean
  id: string | null
  threadId: string
  boardId: string
  title: string
  author: string
  content: string
  image: StoredImage | null
  spoiler: boolean
  createdAtMs: number
  rank: number
  /** the newest match */
  newest: string
  /** number of matches that were ranked */
  matches: number
}

/**
 * Creates the statement of a search. The search visits blocks of posts, newest first, until it has enough matches. The
 * label of a block lets the index skip all other posts, so common words cost little. If a sample of blocks shows that
 * few posts match, one visit without a label reads all of them. The text of the statement is constant, so that it is
 * prepared only once.
 */
export function searchStatement(input: SearchInput, cursor: SearchCursor, now: Date): SQL {
  const { terms, excluded, nicks, excludedNicks } = input.q
  const isRanked = input.sort !== 'date'
  const pageLength = searchLimits.hitsPerPage + 1
  const days = coverPeriod(input, now)
  // By date, hits are in the order of their numbers, which the labels of days do not follow.
  const visitedDays = isRanked && input.to !== undefined ? days.toReversed() : []
  const wanted = sql`${isRanked ? searchLimits.ranked : pageLength}::int`
  const { newest = null, last } = cursor
  return sql`
    with given as materialized (
      select ${phrases(terms)} as words, ${anyOrder(terms)} as any_order, ${phrases(excluded, '!')} as excluded, ${labels(labelGroups(input))} as labels,
        ${labels(excludedNicks.map(nickLabel), '!')} as excluded_labels, ${labels(days.length > 0 ? [days] : [])}::tsquery as period),
    asked as materialized (
      select words::tsquery as words, concat_ws(' & ', words, excluded, labels, excluded_labels)::tsquery as query,
        concat_ws(' & ', any_order, labels)::tsquery as read, period
      from given where words is not null or ${nicks.length > 0}::boolean),
    newest as materialized (select least(max(post_id), ${newest}::bigint) as post_id from ${postSearch}),
    sample as materialized (
      select number, count(*) over () as blocks from newest cross join ${sampledBlocks(sql`newest.post_id`)} as number),
    few as materialized (select ${sampleIsLarge} and not ${sampleHasMany} as are_few),
    matches as materialized (
      select found.post_id, found.vector from asked cross join newest
      cross join lateral (select block from (
          select period as block from few where are_few
          union all select search_label(' ' || day) from few
            cross join json_array_elements_text(${JSON.stringify(visitedDays)}::json) as day where not are_few
          union all select coalesce(search_label(label) && period, search_label(label)) from few
            cross join lateral (${blocks(sql`newest.post_id`)}) as block
            where not are_few and ${visitedDays.length === 0}::boolean) as block
        where ${elapsed} < ${MAX_VISIT_MS}::int * interval '1 ms' offset 0) as visited
      cross join lateral (
        select post_id, vector from ${postSearch}
        where vector @@ coalesce(asked.query && visited.block, asked.query) and post_id + 0 <= newest.post_id
        -- With post_id itself, the planner may use the primary key, and read all posts up to the newest one.
        order by post_id + 0 desc limit ${wanted}) as found
      limit ${wanted}),
    ranked as (
      select post_id, case when ${isRanked}::boolean and words is not null
        then ts_rank(vector, words, ${RANK_BY_LENGTH}::int)::float8 else 0 end as rank
      from matches cross join asked),
    page as (
      select post_id, rank from ranked
      where (rank, post_id) < (${last?.rank ?? Number.MAX_VALUE}::float8, ${last?.id ?? Number.MAX_SAFE_INTEGER}::bigint)
      order by rank desc, post_id desc limit ${pageLength}::int)
    select ${elapsed} >= ${MAX_VISIT_MS}::int * interval '1 ms' as "isCut", ${post.id} as id,
      ${post.threadId} as "threadId", ${thread.boardId} as "boardId", ${thread.title} as title, ${post.author} as author, ${post.content} as content, ${post.image} as image, ${post.spoiler} as spoiler,
      (extract(epoch from ${post.createdAt}) * 1000)::float8 as "createdAtMs", page.rank as rank,
      (select max(post_id) from matches) as newest, (select count(*)::int from matches) as matches
    -- Only live posts are in post_search.
    from (select) as always left join (page join ${post} on ${post.id} = page.post_id
      join ${thread} on ${thread.id} = ${post.threadId}) on true
    order by page.rank desc, page.post_id desc`
}

/**
 * Returns the labels of all blocks up to a post, newest first. The newest posts are in small blocks, where a common word
 * has enough matches. Rarer words go on in large blocks.
 */
const blocks = (newest: SQL): SQL => sql`
  select ' b' || number as label from generate_series(${newest} >> ${SMALL_BLOCK_BITS},
    greatest(0, ((${newest} >> ${LARGE_BLOCK_BITS}) - 1) << (${LARGE_BLOCK_BITS} - ${SMALL_BLOCK_BITS})), -1::bigint) as number
  union all
  select ' c' || number from generate_series((${newest} >> ${LARGE_BLOCK_BITS}) - 2, 0::bigint, -1::bigint) as number`

/** Returns the numbers of at least three small blocks that are spread evenly, or of all blocks if there are fewer. */
const sampledBlocks = (newest: SQL): SQL => sql`
  generate_series((${newest} >> ${SMALL_BLOCK_BITS}) / 6, ${newest} >> ${SMALL_BLOCK_BITS},
    greatest(1, (${newest} >> ${SMALL_BLOCK_BITS}) / 3))`

/** Numbers of removed posts can leave too few posts in the sample. */
const sampleIsLarge = sql`(select count(*) = ${MIN_SAMPLE}::int from (select from sample join ${postSearch}
  on post_id between number << ${SMALL_BLOCK_BITS} and ((number + 1) << ${SMALL_BLOCK_BITS}) - 1
  limit ${MIN_SAMPLE}::int) as sampled)`

/** Whether the sample suggests that the search reads more than `FEW_MATCHES` posts. */
const sampleHasMany = sql`exists (
  select from asked cross join sample cross join lateral (
    select from ${postSearch} where vector @@ (asked.read && search_label(' b' || number))) as found
  offset (select ${FEW_MATCHES}::bigint * (max(blocks) << ${SMALL_BLOCK_BITS}) / greatest(1, max(post_id)) from sample cross join newest))`

/** Time since the statement began; `now()` would be the time of its transaction. */
const elapsed = sql`clock_timestamp() - statement_timestamp()`

/** Labels of a post; see `db/schema/search.ts`. A post must have one label of each group. */
function labelGroups({ q, board, images }: SearchInput): string[][] {
  return [
    ...(board === undefined ? [] : [[`g${board}`]]),
    ...(images ? [['i']] : []),
    ...(q.nicks.length > 0 ? [q.nicks.flatMap(nickLabel)] : []),
  ]
}

/** Returns the labels of the period, oldest first; none if the period is unlimited. */
function coverPeriod({ from, to }: SearchInput, now: Date): string[] {
  if (from === undefined && to === undefined) return []
  const days = coverDays({ from, to }, now)
  return days.length > 0 ? days : [NO_POST]
}

const NO_POST = 'x'
const nickLabel = (nick: string) => [`n${nick}`]

/** Returns a text query for all phrases, or null if they have no words. */
const phrases = (terms: Term[], sign: '' | '!' = ''): SQL => textQuery(terms, sign, sql`phraseto_tsquery`)
const anyOrder = (terms: Term[]): SQL => textQuery(terms, '', sql`plainto_tsquery`)

const textQuery = (terms: Term[], sign: '' | '!', parse: SQL): SQL => sql`(
  select string_agg(${sign}::text || '(' || phrase::text || ')', ' & ')
  from (select ${parse}('simple', search_words(value)) as phrase
    from json_array_elements_text(${JSON.stringify(terms.map((words) => words.join(' ')))}::json)) as phrases
  where numnode(phrase) > 0)`

/** Returns a text query for one label of each group, or null without groups. */
const labels = (groups: string[][], sign: '' | '!' = ''): SQL => sql`(
  select string_agg(${sign}::text || '(' || choice || ')', ' & ')
  from (select (select string_agg(search_label(' ' || search_fold(label))::text, ' | ')
      from json_array_elements_text(value) as label) as choice
    from json_array_elements(${JSON.stringify(groups)}::json)) as choices)`
