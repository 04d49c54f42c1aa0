import type { PasteSize } from '#src/contract/paste.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'

type LongPasteProps = { shownLines: number; fullSize: PasteSize; rawHref: string }

export function LongPaste({ shownLines, fullSize, rawHref }: LongPasteProps) {
  return (
    <p className="hint">
      This paste is long: here is its beginning, {shownLines} of {fullSize.lines}{' '}
      {fullSize.lines === 1 ? 'line' : 'lines'}. The whole text ({formatBytes(fullSize.bytes)}):{' '}
      <a href={rawHref} rel="external">
        show it raw
      </a>{' '}
      or{' '}
      <a href={rawHref} rel="external" download="paste.txt">
        download it
      </a>
      . Copy Content copies all of it.
    </p>
  )
}

export async function fetchWholeText(rawHref: string): Promise<string> {
  const answer = await fetch(rawHref)
  if (!answer.ok) throw new Error(`The paste could not be fetched: ${answer.status}`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
}
