import { readHtml } from '#server/features/news/feed/content/readHtml.ts'
import { HtmlWriter } from './htmlWriter.ts'
import { withoutMarks } from './literalMarkup.ts'
import type { HtmlBody } from './types.ts'

/** Longer HTML is cut, in UTF-16 units. It limits the time for a hostile post. */
export const MAX_HTML = 1_000_000

export function htmlToPlainText({ html, format }: HtmlBody): string {
  const writer = new HtmlWriter(format)
  readHtml(cutHtml(html), {
    text: (piece) => writer.text(withoutMarks(piece)),
    tag: (tag) => {
      if (tag.closing) writer.close(tag.name)
      else writer.open(tag)
      return true
    },
  })
  return writer.finish()
}

/** Cuts long HTML before a tag that it would break. */
function cutHtml(html: string): string {
  if (html.length <= MAX_HTML) return html
  const kept = html.slice(0, MAX_HTML)
  const tag = kept.lastIndexOf('<')
  return tag > kept.lastIndexOf('>') ? kept.slice(0, tag) : kept
}
