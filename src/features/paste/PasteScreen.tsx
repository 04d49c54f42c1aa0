import { CalendarClock, CalendarPlus, Eye, Flame } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { HighlightedPaste, LockedPasteView, PasteSize, PasteView } from '#src/contract/paste.ts'
import { rich, t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { trpc } from '#src/lib/trpc.ts'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { cx } from '#src/ui/cx.ts'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import { TimeRemaining } from '#src/ui/TimeRemaining.tsx'
import { fromBase64 } from './browserCrypto.ts'
import { LockedPaste } from './LockedPaste.tsx'
import { PasteCode } from './PasteCode.tsx'
import styles from './paste.module.css'
import { QrButton } from './QrButton.tsx'
import { countLines } from './renderLines.ts'

/** `refusal` is set if the server refused to open the paste for a browser without script. */
export type PastePage = (HighlightedPaste | { locked: LockedPasteView }) & { now: Date; refusal: string | null }

export function PasteScreen({ page }: { page: PastePage }) {
  const isReadable = !('locked' in page) && !page.paste.encrypted
  const [opened, setOpened] = useState<HighlightedPaste | null>(isReadable ? page : null)
  const [shownAt] = useState(() => Date.now())
  const { now, refusal } = page

  // The focused button disappears when the paste opens.
  useEffect(() => {
    if (opened && !isReadable) focusOn(document.querySelector('main h1'))
  }, [opened, isReadable])

  if (opened) {
    const waitedMs = isReadable ? 0 : Date.now() - shownAt
    return <OpenPaste opened={opened} now={new Date(now.getTime() + waitedMs)} />
  }
  // The page already contains a short encrypted paste, so opening it needs no request.
  if (!('locked' in page))
    return <LockedPaste {...page.paste} refusal={null} fetchPaste={async () => page} onOpen={setOpened} />
  const { id } = page.locked
  const fetchPaste = async (proof: string | undefined) => (await trpc()).paste.consume.mutate({ pasteId: id, proof })
  return <LockedPaste {...page.locked} refusal={refusal} fetchPaste={fetchPaste} onOpen={setOpened} />
}

function OpenPaste({ opened, now }: { opened: HighlightedPaste; now: Date }) {
  const { paste, highlights, fullSize } = opened
  const text = decodeContent(paste)
  const rawHref = paste.burnAfterReading || paste.encrypted ? null : `/paste/${paste.id}/raw`
  return (
    <div className={`stack ${styles.screen}`}>
      {paste.burnAfterReading && (
        <p className={cx('cluster', styles.burnt)} role="status">
          <Flame className="icon accent" />
          {t('paste.burnt')}
        </p>
      )}
      {/* Separate rows: one row could wrap differently when hydration shortens a date to 'today'. */}
      <div className="stack">
        <PasteFacts paste={paste} now={now} />
        <div className={cx('cluster', styles.keys)}>
          <CopyTextButton
            variant="primary"
            text={fullSize && rawHref ? () => fetchWholeText(rawHref) : text}
            label={t('paste.copyContent')}
          />
          {!paste.burnAfterReading && (
            <>
              <CopyTextButton text={() => location.href} label={t('paste.copyUrl')} />
              <QrButton readUrl={() => location.href} />
            </>
          )}
        </div>
      </div>
      {paste.encoding === 'base64' && <p className="hint">{t('paste.notText')}</p>}
      {fullSize && rawHref && <LongPaste shownLines={countLines(text)} fullSize={fullSize} rawHref={rawHref} />}
      <PasteCode paste={{ ...paste, content: text }} highlights={highlights} fullSize={fullSize} rawHref={rawHref} />
    </div>
  )
}

function PasteFacts({ paste, now }: { paste: PasteView; now: Date }) {
  return (
    <div className={cx('cluster', styles.facts)}>
      <Tag icon={CalendarPlus}>{rich('ui.created', { time: () => <Time date={paste.createdAt} /> })}</Tag>
      {!paste.burnAfterReading && (
        <>
          <Tag icon={CalendarClock}>{rich('ui.expires', { time: () => <Time date={paste.expiresAt} /> })}</Tag>
          <TimeRemaining expiresAt={paste.expiresAt} now={now} />{' '}
        </>
      )}
      <Tag icon={Eye}>{t('ui.views', { count: paste.views })}</Tag>
    </div>
  )
}

/** Decodes the text. Shows replacement characters for bytes that are not UTF-8. */
function decodeContent({ content, encoding }: PasteView): string {
  if (encoding === 'utf-8') return content
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(fromBase64(content))
}

type LongPasteProps = { shownLines: number; fullSize: PasteSize; rawHref: string }

function LongPaste({ shownLines, fullSize, rawHref }: LongPasteProps) {
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

async function fetchWholeText(rawHref: string): Promise<string> {
  const answer = await fetch(rawHref)
  if (!answer.ok) throw new Error(`The paste could not be fetched: ${answer.status}`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
}
