import type { ReactElement } from 'react'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'

type MemoizedListProps<Item> = {
  items: Item[]
  /** Must include everything but the language that affects the item's HTML: items with equal keys share their HTML. */
  keyOf: (item: Item) => string
  className?: string
  /** Returns an element with a React key. The element cannot use React context. */
  render: (item: Item) => ReactElement
}

/** Renders a list. The server reuses the HTML of unchanged items, so a new comment does not re-render a long thread. */
export function MemoizedList<Item>({ items, keyOf, className, render }: MemoizedListProps<Item>) {
  if (!renderHtml) return <div className={className}>{items.map(render)}</div>
  const language = currentLanguage()
  const html = items.map((item) => renderHtml(`${language} ${keyOf(item)}`, () => render(item))).join('')
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React rendered it
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}

/** Limits the cached HTML and keys, in UTF-16 units. */
const MAX_SIZE = 24_000_000

/** Null in development, where cached HTML would hide changes to the code. */
const renderHtml = import.meta.env.SSR && import.meta.env.PROD ? await createHtmlCache() : null

async function createHtmlCache() {
  const [{ LRUCache }, { renderToString }] = await Promise.all([import('lru-cache'), import('react-dom/server')])
  const cache = new LRUCache<string, string, () => ReactElement>({
    maxSize: MAX_SIZE,
    sizeCalculation: (html, key) => key.length + html.length,
    // Copies the string, because V8 keeps all parts of a concatenated string in memory.
    memoMethod: (_key, _stale, { context }) => Buffer.from(renderToString(context())).toString(),
  })
  return (key: string, element: () => ReactElement) => cache.memo(key, { context: element })
}
