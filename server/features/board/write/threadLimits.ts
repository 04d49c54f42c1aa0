import type { PostView } from '#src/contract/post.ts'
import { measureMarkup } from '#src/lib/markup.ts'

export type Cost = { bytes: number; nodes: number }
export type ThreadLimits = { threadPosts: number; threadBytes: number; threadNodes: number }
type ThreadSize = { commentCount: number; replyCount: number; byteCount: number; nodeCount: number }

/** how many times a page contains the author of a post, and each of its links */
const AUTHOR_COPIES = 2
const LINK_COPIES = 3
const NODES_PER_LINK = 4

export function calculateCost({ author, content, links }: Pick<PostView, 'author' | 'content' | 'links'>): Cost {
  const { nodes, codeBytes } = measureMarkup(content)
  return {
    bytes:
      escapedBytes(content) +
      codeBytes +
      AUTHOR_COPIES * escapedBytes(author) +
      LINK_COPIES * escapedBytes(links.join('')),
    nodes: nodes + NODES_PER_LINK * links.length,
  }
}

export const sumCosts = (costs: Cost[]): Cost => ({
  bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
  nodes: costs.reduce((sum, { nodes }) => sum + nodes, 0),
})

/** Checks the limits before the server stores an image. insertPost.ts checks them again, with a lock. */
export const isFull = (current: ThreadSize, post: Cost, limits: ThreadLimits): boolean =>
  current.commentCount + current.replyCount >= limits.threadPosts ||
  current.byteCount + post.bytes > limits.threadBytes ||
  current.nodeCount + post.nodes > limits.threadNodes

/** bytes per character after escaping for the page; CONTROL_BYTES applies to control characters */
const ESCAPED_BYTES: Record<string, number> = { '&': 5, '<': 4, '>': 4, '"': 6, "'": 6, '\\': 4 }
const CONTROL_BYTES = 7

function escapedBytes(text: string): number {
  let bytes = Buffer.byteLength(text)
  for (const [character] of text.matchAll(/[&<>"'\\\p{Cc}]/gu)) {
    if (character !== '\n') bytes += (ESCAPED_BYTES[character] ?? CONTROL_BYTES) - 1
  }
  return bytes
}
