import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('raidSolver.child.ts', import.meta.url))
/** Lowest: an attacker's solver runs elsewhere, so it must not delay the requests that are measured. */
const PRIORITY = 19

/** Solves proofs of work in a process of its own, one at a time. */
export class RaidSolver {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(PROGRAM)
    if (this.#child.pid) setPriority(this.#child.pid, PRIORITY)
  }

  /** @returns the field of the post's form */
  async solve(challenge: unknown): Promise<string> {
    this.#child.send(JSON.stringify(challenge))
    const [proof] = (await once(this.#child, 'message')) as [string]
    return proof
  }

  close(): void {
    this.#child.kill()
  }
}
