/** Limits what a start after a crash replays, and how long deleted data stays in the write-ahead log. */
const CHECKPOINT_MS = 5 * 60 * 1000

/**
 * Decides when the embedded database makes a checkpoint: PGlite has no checkpointer. A checkpoint is due when the
 * write-ahead log begins a new file (16 MiB), or after five minutes with writes.
 */
export class CheckpointSchedule {
  #hasWrites = false
  #isDue = false
  #timer: NodeJS.Timeout

  /** @param onDue called when a checkpoint becomes due by time: the database may be idle */
  constructor(onDue: () => void) {
    this.#timer = setInterval(() => {
      if (!this.#hasWrites) return
      this.#isDue = true
      onDue()
    }, CHECKPOINT_MS).unref()
  }

  /** Called for each write to the log. */
  onLogWrite(isNewFile: boolean): void {
    this.#hasWrites = true
    if (isNewFile) this.#isDue = true
  }

  isDue(): boolean {
    return this.#isDue
  }

  /** Called after a checkpoint, because the checkpoint writes to the log, too. */
  restart(): void {
    this.#hasWrites = false
    this.#isDue = false
    this.#timer.refresh()
  }
}
