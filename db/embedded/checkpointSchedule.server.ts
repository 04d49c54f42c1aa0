/** Limits what a start after a crash replays, and how long deleted data stays in the write-ahead log. */
const CHECKPOINT_MS = 5 * 60 * 1000
/**
 * Files of the log (16 MiB) between checkpoints: a start replays 64 MiB in about a second. More checkpoints would write
 * more: after each, the first change of a page writes the whole page to the log.
 */
const CHECKPOINT_FILES = 4

/** Maintenance of the embedded database. A checkpoint also makes statements be planned again. */
type Duty = 'checkpoint' | 'plans'

/**
 * Decides when the embedded database makes a checkpoint and plans its statements again: PGlite has neither a checkpointer
 * nor autovacuum.
 */
export class CheckpointSchedule {
  #hasWrites = false
  #due: Duty | null = null
  #newFiles = 0
  #timer: NodeJS.Timeout

  /** @param onDue called when a checkpoint becomes due by time: the database may be idle */
  constructor(onDue: () => void) {
    this.#timer = setInterval(() => {
      if (!this.#hasWrites) return
      this.#due = 'checkpoint'
      onDue()
    }, CHECKPOINT_MS).unref()
  }

  /** Called for each write to the log. */
  onLogWrite(isNewFile: boolean): void {
    this.#hasWrites = true
    if (!isNewFile) return
    this.#newFiles++
    if (this.#newFiles >= CHECKPOINT_FILES) this.#due = 'checkpoint'
    else this.#due ??= 'plans'
  }

  getDue(): Duty | null {
    return this.#due
  }

  /** Called after the duty, because a checkpoint writes to the log, too. */
  restart(done: Duty): void {
    // A checkpoint can become due by time while statements are planned again.
    if (this.#due === done) this.#due = null
    if (done === 'plans') return
    this.#hasWrites = false
    this.#newFiles = 0
    this.#timer.refresh()
  }
}
