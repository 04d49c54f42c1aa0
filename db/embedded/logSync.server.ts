import { fdatasync, fdatasyncSync } from 'node:fs'

type Sync = { file: number; waiting: (() => void)[] }

/**
 * Syncs the files of the write-ahead log. One sync serves all commits that were written before it began, and other clients
 * use the database meanwhile. The database itself believes that a requested sync is done: `settle` must run before
 * anything that may reach the disk only after the log, and no client may learn of a commit before `synced`.
 */
export class LogSync {
  /** log file with commits that no sync covers yet */
  #file: number | null = null
  #waiting: (() => void)[] = []
  #running: Sync | null = null
  #onFailure: (error: Error) => never

  /** @param onFailure must not return: after a failed sync, nobody knows what is on the disk */
  constructor(onFailure: (error: Error) => never) {
    this.#onFailure = onFailure
  }

  request(file: number): void {
    if (this.#file !== null && this.#file !== file) this.settle()
    this.#file = file
  }

  /** @returns null if everything written is on the disk */
  synced(): Promise<void> | null {
    if (this.#file === null && !this.#running) return null
    return new Promise((resolve) => {
      if (this.#file === null) this.#running?.waiting.push(resolve)
      else this.#waiting.push(resolve)
      this.#start()
    })
  }

  /** Blocks until everything written is on the disk. */
  settle(): void {
    const files = new Set([this.#running?.file, this.#file].filter((file) => typeof file === 'number'))
    try {
      for (const file of files) fdatasyncSync(file)
    } catch (error) {
      this.#fail(error)
    }
    const waiting = [...(this.#running?.waiting ?? []), ...this.#waiting]
    this.#file = null
    this.#running = null
    this.#waiting = []
    for (const release of waiting) release()
  }

  /** Must be called before a file is closed, because its number can be given to another file. */
  beforeClose(file: number): void {
    if (file === this.#file || file === this.#running?.file) this.settle()
  }

  #start(): void {
    if (this.#running || this.#file === null) return
    const sync = { file: this.#file, waiting: this.#waiting }
    this.#file = null
    this.#waiting = []
    this.#running = sync
    fdatasync(sync.file, (error) => {
      // `settle` was faster, and the file may be closed.
      if (this.#running !== sync) return
      if (error) this.#fail(error)
      this.#running = null
      for (const release of sync.waiting) release()
      this.#start()
    })
  }

  #fail(error: unknown): never {
    const reason = error instanceof Error ? error.message : String(error)
    this.#onFailure(new Error(`the write-ahead log cannot be synced: ${reason}`, { cause: error }))
  }
}
