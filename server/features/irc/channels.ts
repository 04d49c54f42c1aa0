import type { IrcTimes } from './times.ts'

type State = { name: string; isJoined: boolean; attempts: number; kicks: number; nextJoinAt: number }

/** Keeps the bot in its channels during one connection. @param clock in ms */
export function createChannels(names: string[], clock: () => number, times: IrcTimes['connection']['channels']) {
  const states = new Map(names.map((name): [string, State] => [fold(name), createState(name)]))

  return {
    isJoined: (name: string): boolean => states.get(fold(name))?.isJoined ?? false,

    /** Returns the channels to join now. A channel that does not answer is due again later. */
    takeDue(): string[] {
      const due = [...states.values()].filter(({ isJoined, nextJoinAt }) => !isJoined && nextJoinAt <= clock())
      for (const state of due) {
        state.nextJoinAt = clock() + Math.min(times.retry * 2 ** state.attempts, times.maxRetry)
        state.attempts++
      }
      return due.map(({ name }) => name)
    },

    markJoined(name: string): void {
      const state = states.get(fold(name))
      if (state) Object.assign(state, { isJoined: true, attempts: 0 })
    },

    /** Records that the bot was kicked, or was made to leave. */
    markLeft(name: string): void {
      const state = states.get(fold(name))
      if (!state) return
      const waitMs = times.afterKick[state.kicks] ?? Number.POSITIVE_INFINITY
      Object.assign(state, { isJoined: false, kicks: state.kicks + 1, nextJoinAt: clock() + waitMs })
    },
  }
}

const createState = (name: string): State => ({ name, isJoined: false, attempts: 0, kicks: 0, nextJoinAt: 0 })

/** Compares names as servers do, at least for letters. */
const fold = (name: string) => name.toLowerCase()
