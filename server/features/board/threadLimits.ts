import type { PostView } from '#src/contract/board.ts'
import { countNodes } from '#src/lib/markup.ts'

/** What a post costs each page that shows it. */
export type Cost = { bytes: number; nodes: number }
/** What a thread may cost in all. */
export type ThreadLimits = { threadPosts: number; threadBytes: number; threadNodes: number }
/** What a thread costs now. */
type Counted = { commentCount: number; replyCount: number; byteCount: number; nodeCount: number }

/** A name stands in the text and in a label; a link in its address, its title and its text. */
const TIMES_AUTHOR = 2
const TIMES_LINK = 3
const LINK_NODES = 4

export function costOf({ author, content, links }: Pick<PostView, 'author' | 'content' | 'links'>): Cost {
  return {
    bytes: pageBytes(content) + TIMES_AUTHOR * pageBytes(author) + TIMES_LINK * pageBytes(links.join('')),
    nodes: countNodes(content) + LINK_NODES * links.length,
  }
}

export const sumOf = (costs: Cost[]): Cost => ({
  bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
  nodes: costs.reduce((sum, { nodes }) => sum + nodes, 0),
})

/** Whether a thread has no room for one more post. */
export const isFull = (on: Counted, more: Cost, limits: ThreadLimits): boolean =>
  on.commentCount + on.replyCount >= limits.threadPosts ||
  on.byteCount + more.bytes > limits.threadBytes ||
  on.nodeCount + more.nodes > limits.threadNodes

/** Bytes of characters that grow when they are escaped: in HTML, or in the page's data, where control characters do. */
const ESCAPED: Record<string, number> = { '&': 5, '<': 4, '>': 4, '"': 6, "'": 6, '\\': 4 }
const CONTROL = 7

/** Bytes of a text as it stands in a page, so that a text of quotation marks counts for what it becomes. */
function pageBytes(text: string): number {
  let bytes = Buffer.byteLength(text)
  for (const [character] of text.matchAll(/[&<>"'\\\p{Cc}]/gu)) {
    if (character !== '\n') bytes += (ESCAPED[character] ?? CONTROL) - 1
  }
  return bytes
}
