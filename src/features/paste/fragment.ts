/** The hash of a paste URL: decryption key and highlighted lines. */
export type Fragment = { key: string | null; lines: { from: number; to: number } | null }

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
