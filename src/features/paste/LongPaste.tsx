import type { PasteSize } from '#src/contract/paste.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'

type LongPasteProps = { shownLines: number; fullSize: PasteSize; rawHref: string }

export function LongPaste({ shownLines, fullSize, rawHref }: LongPasteProps) {
  return (
    <p className="hint">
      This paste is long. You see the first {shownLines} of {fullSize.lines} {fullSize.lines === 1 ? 'line' : 'lines'}.
      For all {formatBytes(fullSize.bytes)},{' '}
      <a href={rawHref} rel="external">
        open it raw
      </a>{' '}
      or{' '}
      <a href={rawHref} rel="external" download="paste.txt">
        download it
      </a>
      . Copy Content copies everything.
    </p>
  )
}

export async function fetchWholeText(rawHref: string): Promise<string> {
  const answer = await fetch(rawHref)
  if (!answer.ok) throw new Error(`The paste could not be fetched: ${answer.status}`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
}
