import { Quote } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ThreadHead } from '#src/contract/thread.ts'
import styles from '#src/features/board/thread/ThreadScreen.module.css'
import { t } from '#src/i18n/t.ts'
import { placeBeside } from '#src/lib/placeBeside.ts'
import { buttonClass } from '#src/ui/Button.tsx'
import { findSelectedQuote, quoteSelection, type SelectedQuote } from './selectedQuote.ts'
import type { WritePost } from './usePostDialog.tsx'

/** Keeps the button from moving while the reader changes the selection. */
const SETTLE_MS = 200
const GAP_PX = 8

/** Offers to quote the selected text: a button at the end of the selection. */
export function QuoteButton({ thread, write }: { thread: ThreadHead; write: WritePost }) {
  const [quote, setQuote] = useState<SelectedQuote | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const update = useEffectEvent(() => setQuote(findSelectedQuote(thread)))

  useEffect(() => {
    const controller = new AbortController()
    const options = { signal: controller.signal, capture: true }
    let timer: ReturnType<typeof setTimeout>
    let isPressed = false
    const settle = () => {
      clearTimeout(timer)
      if (getSelection()?.isCollapsed !== false) setQuote(null)
      else if (!isPressed) timer = setTimeout(() => update(), SETTLE_MS)
    }
    const press = ({ type, pointerType }: PointerEvent) => {
      isPressed = type === 'pointerdown' && pointerType === 'mouse'
      settle()
    }
    document.addEventListener('selectionchange', settle, options)
    for (const type of ['pointerdown', 'pointerup', 'pointercancel'] as const) {
      document.addEventListener(type, press, options)
    }
    settle()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [])

  useEffect(() => {
    if (quote && button.current) place(button.current, quote.range)
  }, [quote])

  if (!quote) return null
  return createPortal(
    <button
      ref={button}
      type="button"
      className={`${buttonClass({ variant: 'primary', size: 'small' })} ${styles.quote}`}
      aria-label={t('board.quoteFrom', { id: quote.id })}
      // A press would clear the selection.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        quoteSelection(thread, write)
        setQuote(null)
      }}
    >
      <Quote className="icon icon-s" />
      {t('board.quote')}
    </button>,
    document.body,
  )
}

/** Below the selection, phones do not show their own menu. The player or the form of posts can cover that place. */
function place(button: HTMLElement, range: Range): void {
  const end = [...range.getClientRects()].at(-1) ?? range.getBoundingClientRect()
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0
  placeBeside(button, end, GAP_PX, covered)
}
