import MarkdownIt from 'markdown-it'
import { parse as parseYaml } from 'yaml'
import { SITE_IMAGES_PATH } from '#src/contract/siteContent.ts'

/** The page's title is the only heading of the first level. */
const MAX_HEADING = 6

const markdown = new MarkdownIt({ html: false, linkify: true })
markdown.renderer.rules.heading_open = (tokens, index) => `<${lower(tokens[index]?.tag)}>`
markdown.renderer.rules.heading_close = (tokens, index) => `</${lower(tokens[index]?.tag)}>\n`
markdown.core.ruler.push('site', ({ tokens }) => {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const source = token.type === 'image' ? token.attrGet('src') : null
      if (source && !/^(?:\w+:|\/)/.test(source)) token.attrSet('src', `${SITE_IMAGES_PATH}/${source}`)
      if (token.type === 'image') token.attrSet('loading', 'lazy')
      if (token.type === 'link_open' && /^https?:/.test(token.attrGet('href') ?? '')) token.attrSet('rel', 'noopener')
    }
  }
})

const lower = (tag = 'h1') => `h${Math.min(MAX_HEADING, Number(tag.slice(1)) + 1)}`

/** Renders an operator's text. HTML in it is shown as text, and links with other schemes than the web's are dropped. */
export const renderMarkdown = (text: string): string => markdown.render(text)

export type Document = {
  /** the fields between two lines of `---` at the start */
  fields: Record<string, unknown>
  /** from the fields, or from a heading at the start */
  title: string | null
  /** Markdown without fields and title */
  text: string
  /** the rendered text */
  html: string
}

/** @throws Error if the fields are not valid YAML */
export function parseDocument(source: string): Document {
  const [, yaml, rest = source] = /^---\r?\n(.*?\r?\n)?---\r?\n(.*)$/s.exec(source.replace(/^\uFEFF/, '')) ?? []
  const parsed: unknown = yaml ? parseYaml(yaml) : {}
  const fields = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  const [heading, title] = /^\s*# +(.+?)\s*(?:\r?\n|$)/.exec(rest) ?? []
  // YAML reads a title such as 1984 as a number.
  const given = typeof fields.title === 'string' || typeof fields.title === 'number' ? String(fields.title) : null
  const text = heading && given === null ? rest.slice(heading.length) : rest
  return { fields, title: given ?? title ?? null, text, html: renderMarkdown(text) }
}
