import type { ReactElement } from 'react'

type PiecesProps<Item> = {
  items: Item[]
  /** all that the HTML of a piece is made from: two that are told the same would be taken for each other */
  keyOf: (item: Item) => string
  className?: string
  /** an element with a key */
  render: (item: Item) => ReactElement
}

/**
 * A list whose pieces seldom change, while the page around them is made anew again and again: of a long thread that got
 * a comment, the server renders that comment. In the browser a list like any other. The pieces see no context.
 */
export function Pieces<Item>({ items, keyOf, className, render }: PiecesProps<Item>) {
  if (!renderToString) return <div className={className}>{items.map(render)}</div>
  const html = items.map((item) => remembered(keyOf(item), () => render(item))).join('')
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React has made it
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}

/** In the built server alone: in development code changes under what was rendered. */
const renderToString =
  import.meta.env.SSR && import.meta.env.PROD ? (await import('react-dom/server')).renderToString : null

/** Bounds what is remembered, with what it was made of; in UTF-16 units. */
const MOST = 24_000_000
const memory = new Map<string, Made>()
let size = 0

/** With the key it was first asked for by: one that is put in the place of its like would outlive each page. */
type Made = { key: string; html: string }

function remembered(key: string, piece: () => ReactElement): string {
  const known = memory.get(key)
  const made = known ?? { key, html: inOnePiece(renderToString?.(piece()) ?? '') }
  // what was asked for last is let go last
  memory.delete(made.key)
  memory.set(made.key, made)
  if (!known) size += key.length + made.html.length
  for (const [oldest, { html }] of memory) {
    if (size <= MOST) break
    memory.delete(oldest)
    size -= oldest.length + html.length
  }
  return made.html
}

/** A text that was put together from hundreds keeps all of them until it is copied, and is slow to be read. */
const inOnePiece = (text: string) => Buffer.from(text).toString()
