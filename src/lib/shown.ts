import { useCallback, useRef, useState } from 'react'

type Options<Shown, Read> = {
  /** what the page was made with */
  initial: Shown
  /** tells what pages were made with apart: another one lets go of what was gathered since */
  version: string
  /** reads it anew */
  read: () => Promise<Read>
  /** puts what was read into what is shown */
  merge: (shown: Shown, read: Read) => Shown
}

/**
 * What a page shows: made with it, changed in its place by what happens, read anew when that is not enough.
 * @returns `reread` gives what was read, or undefined where that failed and all stays as it was
 */
export function useShown<Shown, Read>({ initial, version, read, merge }: Options<Shown, Read>) {
  const [held, setHeld] = useState({ version, data: initial })
  const asked = useRef(0)
  const answered = useRef(0)
  if (held.version !== version) setHeld({ version, data: initial })

  const change = useCallback(
    (update: (shown: Shown) => Shown) =>
      setHeld((now) => (now.version === version ? { version, data: update(now.data) } : now)),
    [version],
  )

  async function reread(): Promise<Read | undefined> {
    asked.current += 1
    const mine = asked.current
    try {
      const answer = await read()
      // an answer that was overtaken is older than what is shown
      if (mine > answered.current) {
        answered.current = mine
        change((shown) => merge(shown, answer))
      }
      return answer
    } catch {
      // what is shown stays; whoever asked goes on without
      return undefined
    }
  }

  return { data: held.version === version ? held.data : initial, change, reread }
}
