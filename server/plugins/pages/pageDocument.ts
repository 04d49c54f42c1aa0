import { randomUUID } from 'node:crypto'
import { SCRIPTED_TAG } from '#src/contract/forms.ts'
import { DEFAULT_LANGUAGE, type Language } from '#src/contract/languages.ts'

/**
 * `pages/+onAfterRenderHtml.ts` puts this placeholder where the page's HTML belongs. No post can contain a random id.
 */
export const PAGE_PLACEHOLDER = `<!--${randomUUID()}-->`
/** A page with many posts puts it where their HTML belongs. */
export const POSTS_PLACEHOLDER = `<!--${randomUUID()}-->`

/** `pages/early.js` loads the fonts of a first visit after the first paint. Later visits have them in their cache. */
const FONT_PRELOADS = /\s*<link rel="preload"[^>]* as="font"[^>]*>/g

/**
 * Joins Vike's document, the page's HTML and `pages/early.js`. That script is after the stylesheets, so browsers wait for
 * them before they parse the body. Otherwise, Chromium 156 lays out a body with form fields without styles first.
 * @throws Error unless the document has exactly one placeholder
 */
export function joinDocument(
  document: string,
  { pageHtml, postsHtml = [] }: { pageHtml: string; postsHtml?: Uint8Array[] | undefined },
  earlyScriptUrl: string,
  language: Language,
): Buffer {
  const [before = '', after, ...more] = document.split(PAGE_PLACEHOLDER)
  if (after === undefined || more.length > 0)
    throw new Error('The document must contain exactly one placeholder for the page')
  const head = before
    .replace('</head>', () => `<script src="${earlyScriptUrl}"></script></head>`)
    .replaceAll(FONT_PRELOADS, '')
  // The error page of a page that failed has no place for its posts.
  const [top = '', bottom] = withScriptedParts(pageHtml).split(POSTS_PLACEHOLDER)
  return Buffer.concat([
    Buffer.from(`${head}${top}`),
    ...(bottom === undefined ? [] : postsHtml),
    Buffer.from(`${bottom ?? ''}${scriptsIn(language, deferModules(after))}`),
  ])
}

/** Browsers do not show or run data. `pages/early.js` replaces it by its content. */
const withScriptedParts = (html: string) =>
  html
    .replaceAll(`<${SCRIPTED_TAG}>`, `<script type="text/html" data-scripted>`)
    .replaceAll(`</${SCRIPTED_TAG}>`, `</${SCRIPTED_TAG}></script>`)

/**
 * Lets `pages/early.js` load the modules after the first paint: the page can be read without them, so they must not
 * delay styles and fonts.
 */
const deferModules = (html: string) =>
  html
    .replaceAll('<link rel="modulepreload"', '<link data-rel="modulepreload" fetchpriority="low"')
    .replace(/<script src=("[^"]+" type="module" async>)/, '<script data-src=$1')

/** The build writes the scripts of other languages to folders of their own (`build/texts.ts`). */
const scriptsIn = (language: Language, html: string) =>
  language === DEFAULT_LANGUAGE ? html : html.replace(/"\/assets\/(?=[^"]+\.js")/g, `$&${language}/`)
