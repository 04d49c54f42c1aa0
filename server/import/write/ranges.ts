import { domainToASCII } from 'node:url'
import { asc, eq, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board, importedBoard, importedRange } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { type Publisher, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { isBoardId, isReservedId, slugify } from '#server/features/board/ids.ts'
import type { ToId } from '#server/import/text/postText.ts'
import { ImportError, type ImportedBoard, type ReportProblem } from '#server/import/types.ts'
import { boardChange, boardLimits } from '#src/contract/board.ts'

/** The default name of imported boards: old boards take posts without a name and show them with this one. */
const ANONYMOUS = 'Anonymous'
const toDefaultName = (given = ANONYMOUS) => boardChange.shape.defaultName.safeParse(given).data ?? ANONYMOUS

export type Range = { first: number; last: number; shift: number }
export type Target = {
  name: string
  boardId: string
  /** the board's name of posts without one */
  defaultName: string
  ranges: Range[]
  /** all boards of the same import, by name */
  boards?: ReadonlyMap<string, Target>
}
/** The lowest and highest number of a board. */
export type Span = { lowest: number; highest: number }

/** Converts the old number of a post to its id on this site. */
export const createToId =
  ({ ranges }: Pick<Target, 'ranges'>): ToId =>
  (number) => {
    const range = ranges.find(({ first, last }) => first <= number && number <= last)
    return range ? number + range.shift : null
  }

/** Converts the old number of a post on any board of the same import. Returns null for an unknown board or number. */
export const createToIdOnBoard =
  ({ boards }: Pick<Target, 'boards'>) =>
  (board: string, number: number): number | null => {
    const target = boards?.get(board)
    return target ? createToId(target)(number) : null
  }

/**
 * Leaves out boards whose URL belongs to a page of this site, and reports them. A single board is kept: it may have
 * `--into`, and is refused without.
 */
export async function leaveOutReserved<Board extends ImportedBoard>(
  { db }: Pick<Services, 'db'>,
  boards: Board[],
  report: ReportProblem,
): Promise<Board[]> {
  if (boards.length < 2 || !boards.some(({ name }) => isReservedId(toBoardId(name)))) return boards
  const rows = await db.select({ name: importedBoard.name }).from(importedBoard)
  const known = new Set(rows.map(({ name }) => name))
  return boards.filter(({ name }) => {
    const isLeftOut = isReservedId(toBoardId(name)) && !known.has(name)
    if (isLeftOut) report(`/${name}/`, `board left out: ${explainReserved(toBoardId(name))}`)
    return !isLeftOut
  })
}

const explainReserved = (id: string) =>
  `the URL /${id} belongs to a page of this site. Create a board, and name it with --into`

/** Lists the names of boards whose posts an earlier run has imported. */
export async function listImportedBoards({ db }: Pick<Services, 'db'>): Promise<Set<string>> {
  const rows = await db.selectDistinct({ name: importedRange.source }).from(importedRange)
  return new Set(rows.map(({ name }) => name))
}

/**
 * Keeps the id of a site like this one, which can be longer than a new one. Names with letters of other scripts get the
 * ASCII form of domain names: `xn-wgv71a` for `日本`.
 */
function toBoardId(name: string): string {
  if (isBoardId(name)) return name
  return slugify(/[^ -~]/.test(name.normalize('NFKD').replace(/\p{M}/gu, '')) ? domainToASCII(name) || name : name)
}

/**
 * Returns the board into which a board is imported, now or by an earlier run.
 * @param into id of an existing board
 * @throws ImportError
 */
export async function findTarget(
  { db }: Pick<Services, 'db'> | { db: Transaction },
  { name, defaultName }: ImportedBoard,
  into: string | undefined,
): Promise<Target & { exists: boolean }> {
  const [earlier] = await db
    .select({ boardId: importedBoard.boardId })
    .from(importedBoard)
    .where(eq(importedBoard.name, name))
  const boardId = earlier?.boardId ?? into ?? toBoardId(name)
  if (into !== undefined && into !== boardId)
    throw new ImportError(`Cannot import /${name}/ into /${into}/: an earlier import put it into /${boardId}/`)
  const [found] = isBoardId(boardId)
    ? await db
        .select({ deletedAt: board.deletedAt, defaultName: board.defaultName })
        .from(board)
        .where(eq(board.id, boardId))
    : []
  if (into !== undefined && (!found || found.deletedAt))
    throw new ImportError(`Cannot import /${name}/ into /${into}/: this site has no such board`)
  if (into === undefined && !earlier && isReservedId(boardId))
    throw new ImportError(`Cannot import /${name}/: ${explainReserved(boardId)}`)
  if (into === undefined && found && !earlier)
    throw new ImportError(
      found.deletedAt
        ? `Cannot import /${name}/: the URL of /${boardId}/ belongs to a deleted board. Create a board, and name it with --into`
        : `Cannot import /${name}/: this site has a board /${boardId}/. To import into it, use --into ${boardId}`,
    )
  const { first, last, shift } = importedRange
  const ranges = await db
    .select({ first, last, shift })
    .from(importedRange)
    .where(eq(importedRange.source, name))
    .orderBy(asc(first))
  return {
    name,
    boardId,
    ranges,
    defaultName: (found ? found.defaultName : toDefaultName(defaultName)) || ANONYMOUS,
    exists: found !== undefined,
  }
}

/**
 * Creates missing boards and reserves ids for their posts. A board keeps its numbers if this site has used none of them.
 * @param sharesNumbers whether the numbers of all boards come from one sequence
 */
export async function reserveNumbers(
  deps: Publisher & Pick<Services, 'now'>,
  boards: (ImportedBoard & { span: Span })[],
  { into, sharesNumbers }: { into: string | undefined; sharesNumbers: boolean },
): Promise<Map<string, Target>> {
  return writeAndPublish(deps, async (tx) => {
    const targets = new Map<string, Target>()
    for (const one of boards) {
      const target = await findTarget({ db: tx }, one, into)
      if (!target.exists) await createBoard(tx, deps.now(), target.boardId, one)
      const { boardId } = target
      const added = await tx.insert(importedBoard).values({ name: one.name, boardId }).onConflictDoNothing().returning()
      // The redirects of old URLs know the names of boards.
      if (added.length > 0) await publish(tx, deps.now(), [{ topic: 'boards', change: { kind: 'boards' } }])
      targets.set(one.name, target)
    }
    const longest = longestOf([...targets.values()])
    const isJoined = ({ name }: ImportedBoard) => sharesNumbers && isStart(targets.get(name)?.ranges ?? [], longest)
    // Boards that earlier runs have imported one by one have ranges of their own.
    const groups = [boards.filter(isJoined), ...boards.flatMap((one) => (isJoined(one) ? [] : [[one]]))]
    for (const group of groups.filter(({ length }) => length > 0)) {
      const members = group.map(({ name }) => targets.get(name) as Target)
      const known = longestOf(members)
      const span = {
        lowest: Math.min(...group.map((one) => one.span.lowest)),
        highest: Math.max(...group.map((one) => one.span.highest)),
      }
      const ranges = await extendRanges(tx, known, span)
      for (const member of members) {
        const added = ranges.slice(member.ranges.length).map((range) => ({ source: member.name, ...range }))
        if (added.length > 0) await tx.insert(importedRange).values(added)
        member.ranges = ranges
        member.boards = targets
      }
    }
    return targets
  })
}

const longestOf = (targets: Target[]): Range[] =>
  targets.reduce<Range[]>((longest, { ranges }) => (ranges.length > longest.length ? ranges : longest), [])

const isStart = (ranges: Range[], longer: Range[]): boolean =>
  ranges.every(({ first, last, shift }, index) => {
    const other = longer[index]
    return other?.first === first && other.last === last && other.shift === shift
  })

async function createBoard(
  tx: Transaction,
  now: Date,
  id: string,
  { name, title, description, rules = '', defaultName, settings }: ImportedBoard,
): Promise<void> {
  const [last] = await tx.select({ position: sql<number>`coalesce(max(${board.position}), 0)` }).from(board)
  const cut = (text: string, limit: number) =>
    [...text.replaceAll('\0', '').trim().toWellFormed()].slice(0, limit).join('')
  const shownName = cut(title, boardLimits.boardName) || cut(name, boardLimits.boardName)
  await tx.insert(board).values({
    id,
    name: shownName,
    description: cut(description, boardLimits.boardDescription) || shownName,
    rules: cut(rules, boardLimits.boardRules),
    defaultName: toDefaultName(defaultName),
    ...settings,
    position: Number(last?.position ?? 0) + 1,
    createdAt: now,
  })
}

/** Reserves ids for the numbers above the known ranges. */
async function extendRanges(tx: Transaction, ranges: Range[], { lowest, highest }: Span): Promise<Range[]> {
  const known = ranges.at(-1)?.last ?? 0
  if (highest <= known) return ranges
  // Every statement that takes a number also inserts into this table, so nobody takes one until the commit.
  await tx.execute(sql`lock table post in share mode`)
  const [sequence] = await tx.execute<{ used: string }>(
    sql`select case when is_called then last_value else last_value - 1 end as used from post_number`,
  )
  const used = Number(sequence?.used ?? 0)
  const isFree = Math.max(known + 1, lowest) > used
  const range = isFree
    ? { first: Math.max(known, used) + 1, last: highest, shift: 0 }
    : { first: known + 1, last: highest, shift: used - known }
  await tx.execute(sql`select setval('post_number', ${range.last + range.shift}::bigint)`)
  return [...ranges, range]
}
