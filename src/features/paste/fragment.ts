import { type RefObject, useEffect } from 'react'

/** The hash of a paste URL: decryption key and highlighted lines. */
type Fragment = { key: string | null; lines: { from: number; to: number } | null }

const FRAGMENT = /^#?([\w-]{43})?:?(?:L(\d{1,7})(?:-L?(\d{1,7}))?)?$/

/** Parses `#L10`, `#L10-L20`, `#key` and `#key:L10-L20`; ignores anything else. */
export function parseFragment(hash: string): Fragment {
  const [, key, first, last = first] = FRAGMENT.exec(hash) ?? []
  if (first === undefined) return { key: key ?? null, lines: null }
  const [from, to] = [Number(first), Number(last)].sort((a, b) => a - b) as [number, number]
  return { key: key ?? null, lines: { from, to } }
}

export function formatFragment({ key, lines }: Fragment): string {
  const range = lines ? `L${lines.from}${lines.to > lines.from ? `-L${lines.to}` : ''}` : ''
  return `#${key ?? ''}${key && range ? ':' : ''}${range}`
}

/** Highlights the lines in the URL hash. Clicking a line number selects the line; Shift-click selects a range. */
export function useLineRange(code: RefObject<HTMLElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another text
  useEffect(() => {
    const element = code.current
    if (!element) return

    function show(scroll: boolean) {
      for (const marked of element?.querySelectorAll('[data-marked]') ?? []) marked.removeAttribute('data-marked')
      const { lines } = parseFragment(location.hash)
      if (!lines) return
      const first = element?.querySelector(`#L${lines.from}`)
      let line = first
      for (let number = lines.from; line && number <= lines.to; number++) {
        line.setAttribute('data-marked', '')
        line = line.nextElementSibling
      }
      if (scroll) first?.scrollIntoView({ block: 'center', inline: 'nearest' })
    }

    function choose(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-line]') : null
      if (!link || event.ctrlKey || event.metaKey || event.button !== 0) return
      event.preventDefault()
      const { key, lines } = parseFragment(location.hash)
      const line = Number(link.dataset.line)
      const start = event.shiftKey && lines ? lines.from : line
      const chosen = { from: Math.min(start, line), to: Math.max(start, line) }
      history.replaceState(history.state, '', formatFragment({ key, lines: chosen }))
      show(false)
    }

    const follow = () => show(true)
    show(true)
    element.addEventListener('click', choose)
    window.addEventListener('hashchange', follow)
    return () => {
      element.removeEventListener('click', choose)
      window.removeEventListener('hashchange', follow)
    }
  }, [code, text])
}
