import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { readImageCards } from '#server/features/image/view.ts'
import { type ItemReference, parseItemUrl } from '#server/features/moderation/reports/itemUrl.ts'
import { readPasteCards } from '#server/features/paste/view.ts'
import { readProgramCards } from '#server/features/program/service.ts'
import { type BroadcastIds, readBroadcastCard } from '#server/features/radio/record/archive/service.ts'
import type { LinkCard } from '#src/contract/links.ts'
import { parseMarkup } from '#src/lib/markup.ts'
import { addBoardLinks } from './boardLinks.ts'
import { highlightCode } from './highlightCode.ts'
import type { PostRow } from './view.ts'

export type CardReader = Pick<Services, 'db' | 'config' | 'secrets' | 'now' | 'radio'>
type Item = Extract<ItemReference, { kind: 'paste' | 'image' | 'program' }> | ({ kind: 'broadcast' } & BroadcastIds)

const MAX_PER_POST = 3
/** Limits the lookups of a thread. Later posts have no cards. */
const MAX_TOTAL = 60
/** Items that expire sooner get no card: the page cache keeps pages for this time. */
const MIN_LIFETIME_MS = 60_000
const BROADCAST = /^\/api\/radio\/station\/(\d{1,15})\/streamer\/(\d{1,15})\/broadcast\/(\d{1,15})\/download$/

/** Adds to posts what is not stored with them: colours of code, cards of links, and targets of links to boards. */
export async function addDetails(ctx: CardReader, rows: PostRow[]): Promise<void> {
  await highlightCode(rows)
  await addLinkCards(ctx, rows)
  await addBoardLinks(ctx, rows)
}

/** Adds cards to posts that link to items of this site. Links in spoilers and code have none. */
async function addLinkCards(ctx: CardReader, rows: PostRow[]): Promise<void> {
  const site = new URL(ctx.config.siteUrl)
  const itemsOf = new Map<PostRow, Item[]>()
  let total = 0
  for (const row of rows) {
    const items = findItems(row, site).slice(0, Math.min(MAX_PER_POST, MAX_TOTAL - total))
    if (items.length > 0) itemsOf.set(row, items)
    total += items.length
  }
  if (total === 0) return
  const readCard = await readCards(ctx, [...itemsOf.values()].flat())
  for (const [row, items] of itemsOf) {
    const cards = items.flatMap((item) => readCard(item) ?? [])
    // Several URLs can lead to one item.
    const different = new Map(cards.map((card) => [JSON.stringify(card), card]))
    if (cards.length > 0) row.cards = [...different.values()]
  }
}

function findItems({ content, links }: PostRow, site: URL): Item[] {
  const isOwn = (text: string) => text.toLowerCase().includes(site.host)
  const shown = isOwn(content) ? listLinks(content) : []
  return [...new Set([...shown, ...links])].flatMap((link) => (isOwn(link) ? (parseLink(link, site) ?? []) : []))
}

const listLinks = (content: string): string[] =>
  parseMarkup(content).flatMap((block) =>
    block.kind === 'code' ? [] : block.children.flatMap((node) => (node.kind === 'link' ? node.href : [])),
  )

function parseLink(link: string, site: URL): Item | null {
  try {
    const item = parseItemUrl(link, site.origin)
    return item.kind === 'post' || item.kind === 'file' ? null : item
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return parseBroadcast(link, site)
  }
}

function parseBroadcast(link: string, { host }: URL): Item | null {
  const url = new URL(link)
  const match = url.host === host ? BROADCAST.exec(url.pathname) : null
  if (!match) return null
  const [stationId = 0, streamerId = 0, broadcastId = 0] = match.slice(1).map(Number)
  return { kind: 'broadcast', stationId, streamerId, broadcastId }
}

async function readCards(ctx: CardReader, items: Item[]): Promise<(item: Item) => LinkCard | undefined> {
  const until = new Date(ctx.now().getTime() + MIN_LIFETIME_MS)
  const pasteIds = items.flatMap((item) => (item.kind === 'paste' ? item.id : []))
  const imageIds = items.flatMap((item) => (item.kind === 'image' ? item.id : []))
  const programIds = items.flatMap((item) => (item.kind === 'program' ? item.id : []))
  const pastes = await readPasteCards(ctx, pasteIds, until)
  const images = await readImageCards(ctx, imageIds, until)
  const programs = await readProgramCards(ctx, programIds)
  const broadcasts = new Map<Item, LinkCard>()
  await Promise.all(
    items.map(async (item) => {
      const card = item.kind === 'broadcast' && (await readBroadcastCard(ctx, item))
      if (card) broadcasts.set(item, card)
    }),
  )
  return (item) => {
    if (item.kind === 'paste') return pastes.get(item.id)
    if (item.kind === 'image') return images.get(item.id)
    return item.kind === 'program' ? programs.get(item.id) : broadcasts.get(item)
  }
}
