import type { ReactElement } from 'react'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'

type MemoizedListProps<Item> = {
  /** Lists of different names render the same item differently. */
  name: string
  items: Item[]
  /** Must include everything but the language that affects the item's HTML. */
  keyOf: (item: Item) => string
  className?: string
  /** Returns an element with a React key. The element cannot use React context. */
  render: (item: Item) => ReactElement
}

/** Renders a list. The server reuses the HTML of unchanged items, so a new comment does not re-render a long thread. */
export function MemoizedList<Item extends { id: number }>(props: MemoizedListProps<Item>) {
  const { name, items, keyOf, className, render } = props
  if (!renderHtml) return <div className={className}>{items.map(render)}</div>
  const list = `${currentLanguage()} ${name}`
  const html = items.map((item) => renderHtml(`${list} ${item.id}`, keyOf(item), () => render(item))).join('')
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React rendered it
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}

/** Limits the cached HTML and keys, in UTF-16 units. */
const MAX_SIZE = 24_000_000

/** Null in development, where cached HTML would hide changes to the code. */
const renderHtml = import.meta.env.SSR && import.meta.env.PROD ? await createHtmlCache() : null

/** Keeps the last HTML of each item. */
async function createHtmlCache() {
  const [{ LRUCache }, server] = await Promise.all([import('lru-cache'), import('react-dom/server')])
  // Bundled, the CommonJS package has only a default export.
  const { renderToString } = 'default' in server ? (server.default as typeof server) : server
  const cache = new LRUCache<string, { key: string; html: string }>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ key, html }, item) => item.length + key.length + html.length,
  })
  return (item: string, key: string, element: () => ReactElement): string => {
    const last = cache.get(item)
    if (last?.key === key) return last.html
    // Copies the string, because V8 keeps all parts of a concatenated string in memory.
    const html = Buffer.from(renderToString(element())).toString()
    cache.set(item, { key, html })
    return html
  }
}
