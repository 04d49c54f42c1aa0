import { randomUUID } from 'node:crypto'

/**
 * `pages/+onAfterRenderHtml.ts` puts this placeholder where the page's HTML belongs. No post can contain a random id.
 */
export const PAGE_PLACEHOLDER = `<!--${randomUUID()}-->`

/**
 * Joins Vike's document, the page's HTML and the inline script. The script goes before the stylesheets, because a script
 * after them would wait until they are loaded.
 * @throws Error unless the document has exactly one placeholder
 */
export function joinDocument(document: string, pageHtml: string, earlyScript: string): Buffer {
  const [before = '', after, ...more] = document.split(PAGE_PLACEHOLDER)
  if (after === undefined || more.length > 0)
    throw new Error('The document must contain exactly one placeholder for the page')
  const head = before.replace('<head>', () => `<head><script>${earlyScript}</script>`)
  return Buffer.concat([head, pageHtml, lowerPriority(after)].map((part) => Buffer.from(part)))
}

/** Lets styles and fonts arrive before scripts: the page can be read without them. */
const lowerPriority = (html: string) =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
