import hljs from 'highlight.js/lib/common'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import { type HighlightRuns, type HighlightStyle, highlightStyles, type PasteLanguage } from '#src/contract/paste.ts'

hljs.registerLanguage('dockerfile', dockerfile)

const scopes: Partial<Record<HighlightStyle, string>> = {
  comment: 'comment quote',
  keyword: 'keyword literal built_in selector-tag doctag',
  string: 'string regexp char code',
  number: 'number symbol bullet link',
  title: 'title section',
  type: 'type class selector-class selector-id',
  name: 'attr attribute property name variable template-variable params selector-attr selector-pseudo',
  meta: 'meta',
  added: 'addition',
  removed: 'deletion',
  strong: 'strong emphasis',
}
const styleIndexes = new Map(
  Object.entries(scopes).flatMap(([style, names]) =>
    names.split(' ').map((name) => [name, highlightStyles.indexOf(style as HighlightStyle)] as const),
  ),
)

/** Highlights a text. Must run in a thread that can be terminated, because some texts take minutes. */
export function highlight(text: string, language: PasteLanguage): HighlightRuns {
  return parseHighlights(hljs.highlight(text, { language, ignoreIllegals: true }).value)
}

const HTML_TOKEN = /<span class="(?<scope>[^"]*)">|<\/span>|&(?:amp|lt|gt|quot|#x27);|[^<&]+/g

/**
 * Parses the HTML of highlight.js, which has only spans and five entities. The innermost style takes precedence. White
 * space has the style of the text before it, so that the words of a comment are one run.
 */
function parseHighlights(html: string): HighlightRuns {
  const highlights: HighlightRuns = []
  const open = [0]
  for (const { 0: token, groups } of html.matchAll(HTML_TOKEN)) {
    if (groups?.scope !== undefined) open.push(styleOfClass(groups.scope) ?? open.at(-1) ?? 0)
    else if (token === '</span>') open.pop()
    else {
      const style = open.at(-1) ?? 0
      const length = token.startsWith('&') ? 1 : token.length
      if (highlights.length > 0 && (highlights.at(-1) === style || token.trim() === ''))
        highlights[highlights.length - 2] = (highlights.at(-2) ?? 0) + length
      else highlights.push(length, style)
    }
  }
  return highlights
}

const styleOfClass = (names: string) => styleIndexes.get(names.split(' ')[0]?.replace('hljs-', '') ?? '')
