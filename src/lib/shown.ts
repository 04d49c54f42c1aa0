import { useCallback, useRef, useState } from 'react'

type Options<Shown, Read> = {
  /** of the data that the page was rendered with: other data replace what is shown */
  version: string
  initial: Shown
  read: () => Promise<Read>
  /** puts what was read into what is shown */
  merge: (shown: Shown, read: Read) => Shown
}

/**
 * Data of a page that changes while it is shown.
 * @returns `change` updates the data in place; `reread` reads them again and resolves to what was read, or to undefined
 * if that failed and nothing changed
 */
export function useShown<Shown, Read>({ version, initial, read, merge }: Options<Shown, Read>) {
  const [state, setState] = useState({ version, shown: initial })
  const reads = useRef(0)

  const current = state.version === version ? state : { version, shown: initial }
  if (current !== state) setState(current)

  const change = useCallback(
    (update: (shown: Shown) => Shown) =>
      setState((before) => (before.version === version ? { version, shown: update(before.shown) } : before)),
    [version],
  )

  async function reread(): Promise<Read | undefined> {
    reads.current += 1
    const own = reads.current
    try {
      const answer = await read()
      // an answer that a newer one overtook is not shown
      if (own === reads.current) change((shown) => merge(shown, answer))
      return answer
    } catch {
      return undefined
    }
  }

  return { data: current.shown, change, reread }
}
