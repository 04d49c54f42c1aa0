import { useState } from 'react'

type State = { status: 'waiting' | 'running' | 'done' } | { status: 'failed'; error: unknown }

/** Something a key does that takes its time, and what became of it. */
export function useAction(act: () => Promise<unknown>) {
  const [state, setState] = useState<State>({ status: 'waiting' })

  async function run() {
    setState({ status: 'running' })
    try {
      await act()
      setState({ status: 'done' })
    } catch (error) {
      setState({ status: 'failed', error })
    }
  }

  return { state, run }
}
