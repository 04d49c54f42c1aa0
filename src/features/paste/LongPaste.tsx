import type { PasteSize } from '#src/contract/paste.ts'
import { rich } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'

type LongPasteProps = { shownLines: number; fullSize: PasteSize; rawHref: string }

export function LongPaste({ shownLines, fullSize, rawHref }: LongPasteProps) {
  return (
    <p className="hint">
      {rich('paste.long', {
        shown: shownLines,
        count: fullSize.lines,
        size: formatBytes(fullSize.bytes),
        raw: (text) => (
          <a href={rawHref} rel="external">
            {text}
          </a>
        ),
        download: (text) => (
          <a href={rawHref} rel="external" download="paste.txt">
            {text}
          </a>
        ),
      })}
    </p>
  )
}

export async function fetchWholeText(rawHref: string): Promise<string> {
  const answer = await fetch(rawHref)
  if (!answer.ok) throw new Error(`The paste could not be fetched: ${answer.status}`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
}
