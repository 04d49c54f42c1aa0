import { and, asc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { imageShare, paste, post, program, report, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import { columnsOf } from '#server/features/board/read/queries.ts'
import { isShownPost } from '#server/features/board/read/threadConditions.ts'
import { postView } from '#server/features/board/read/view.ts'
import { imageShareView } from '#server/features/image/view.ts'
import { labelItem } from '#server/features/moderation/origins/findPosters.ts'
import { readSurroundings } from '#server/features/moderation/queue/postSurroundings.ts'
import { decodeFlags, decryptContent, deriveKeys, unpackContent } from '#server/features/paste/crypto.ts'
import type { ItemKind, ReportedContent, ReportedItem } from '#src/contract/reports.ts'
import { threadPath } from '#src/contract/thread.ts'
import { openUrl } from './reports.ts'

/** The part of a paste that moderators see in the queue. */
const MAX_PASTE_CHARACTERS = 20_000

type Shown = { path: string | null; content: ReportedContent }

/**
 * Reads a reported item as it is now. Does not count a view, and does not burn a paste.
 * @param pastePath path of a paste with the capability that decrypts it
 */
async function readContent(ctx: Context, kind: ItemKind, itemId: string, pastePath: string | null): Promise<Shown> {
  switch (kind) {
    case 'post':
      return readPost(ctx, Number(itemId))
    case 'paste':
      return { path: pastePath, content: await readPaste(ctx, Buffer.from(itemId, 'hex'), pastePath) }
    case 'image':
      return readImage(ctx, itemId)
    case 'program':
      return readProgram(ctx, Number(itemId))
  }
}

const gone: Shown = { path: null, content: null }

async function readPost(ctx: Context, id: number): Promise<Shown> {
  const isShown = sql<boolean>`${post.state} = 'live'`
  const [found] = await ctx.db
    .select({ ...columnsOf(post), boardId: thread.boardId, title: thread.title, isShown, hasPlace: isShownPost })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    // The title of a thread outlives the text of its first post.
    .where(and(eq(post.id, id), or(ne(post.state, 'erased'), post.stub)))
  if (!found) return gone
  const { boardId, threadId, title } = found
  const surroundings = await readSurroundings(ctx, [found])
  const context = surroundings.get(id)?.context ?? null
  // The files of a held or removed post have no URL.
  const view = postView(
    found.isShown ? found : { ...found, image: null, moreImages: null },
    await readQuotes(ctx.db, [id]),
  )
  return {
    path: found.hasPlace ? `${threadPath(boardId, threadId)}#p${id}` : null,
    content: { kind: 'post', boardId, threadId, title, post: view, context, isRemoved: !found.isShown },
  }
}

async function readPaste(ctx: Context, lookup: Uint8Array, path: string | null): Promise<ReportedContent> {
  const [row] = await ctx.db.select().from(paste).where(eq(paste.lookup, lookup))
  const [, id = ''] = /^\/paste\/([^/#]+)/.exec(path ?? '') ?? []
  const keys = deriveKeys(id, ctx.secrets.paste)
  const packed = row && keys && decryptContent(keys.key, row, row.sealed)
  if (!packed) return null
  const flags = decodeFlags(row.flags)
  const { bytes } = unpackContent(packed)
  const text = new TextDecoder().decode(bytes)
  return {
    kind: 'paste',
    text: flags.encrypted ? null : text.slice(0, MAX_PASTE_CHARACTERS).toWellFormed(),
    isTruncated: text.length > MAX_PASTE_CHARACTERS,
    bytes: bytes.length,
    flags,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  }
}

async function readImage({ db }: Context, id: string): Promise<Shown> {
  const [row] = await db.select().from(imageShare).where(eq(imageShare.id, id))
  return row ? { path: `/image-share/${id}`, content: { kind: 'image', share: imageShareView(row) } } : gone
}

async function readProgram({ db }: Context, id: number): Promise<Shown> {
  const [row] = await db.select().from(program).where(eq(program.id, id))
  return row ? { path: `/programs-we-love#program-${id}`, content: { kind: 'program', program: row } } : gone
}

/** Shown reports per item: a flood of reports must not bury the item. */
const SHOWN_REPORTS = 10

/** Reads a reported item with its open reports and its content. @returns null if the reports were closed meanwhile */
export async function readReportedItem(ctx: Context, id: number): Promise<ReportedItem | null> {
  const [first] = await ctx.db.select().from(report).where(eq(report.id, id))
  if (!first) return null
  const { kind, itemId, boardId } = first
  const isOpen = and(eq(report.kind, kind), eq(report.itemId, itemId), isNull(report.closedAt))
  const [rows, count] = await Promise.all([
    ctx.db.select().from(report).where(isOpen).orderBy(asc(report.id)).limit(SHOWN_REPORTS),
    ctx.db.$count(report, isOpen),
  ])
  const reportId = rows[0]?.id
  if (reportId === undefined) return null
  const pastePath = rows.map((row) => openUrl(ctx, row)).find((path) => path !== null) ?? null
  const { path, content } = await readContent(ctx, kind, itemId, pastePath)
  const label = kind === 'program' ? null : await labelItem(ctx.db, kind, itemId, boardId)
  const reports = rows.map(({ id, reason, text, createdAt }) => ({ id, reason, text, createdAt }))
  return { kind, reportId, boardId, label, path, count, reports, content }
}
