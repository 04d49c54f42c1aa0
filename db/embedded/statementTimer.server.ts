/** The parts of PGlite's WebAssembly module that the timer uses. The underscore marks symbols of PostgreSQL. */
export type InterruptedModule = {
  HEAPU8: Uint8Array
  _InterruptPending: number
  _QueryCancelPending: number
  _GetConfigOption(name: number, missingOk: number, restrictPrivileged: number): number
  stringToNewUTF8(text: string): number
  UTF8ToString(address: number): string
}

/** Fast statements do not read the setting. */
const UNCHECKED_MS = 50

/**
 * Cancels statements that run too long. PGlite ignores `statement_timeout`, because WebAssembly has no signals. The timer
 * sets the flags of PostgreSQL's signal handler instead, while a statement reads or writes files. A statement that works
 * in memory only is not cancelled.
 */
export class StatementTimer {
  #module: InterruptedModule | null = null
  #settingName = 0
  #startedAt = 0
  #clientTimeoutMs = Number.POSITIVE_INFINITY
  /** null until a slow statement needs it; infinite between statements, when PostgreSQL may not be ready */
  #timeoutMs: number | null = Number.POSITIVE_INFINITY

  attach(module: InterruptedModule): void {
    this.#module = module
  }

  /** @param timeoutMs the client's timeout; applies unless the transaction has its own `statement_timeout` */
  start(timeoutMs = Number.POSITIVE_INFINITY): void {
    this.#startedAt = performance.now()
    this.#clientTimeoutMs = timeoutMs
    this.#timeoutMs = null
  }

  /** Takes back a cancellation that came too late, or it would cancel the next client's statement. */
  stop(): void {
    this.#timeoutMs = Number.POSITIVE_INFINITY
    if (this.#module) this.#module.HEAPU8[this.#module._QueryCancelPending] = 0
  }

  /** Called when the statement uses a file. */
  check(): void {
    const elapsed = performance.now() - this.#startedAt
    if (elapsed < UNCHECKED_MS || !this.#module) return
    this.#timeoutMs ??= this.#readSetting(this.#module) || this.#clientTimeoutMs
    if (elapsed < this.#timeoutMs) return
    this.#module.HEAPU8[this.#module._QueryCancelPending] = 1
    this.#module.HEAPU8[this.#module._InterruptPending] = 1
  }

  #readSetting(module: InterruptedModule): number {
    this.#settingName ||= module.stringToNewUTF8('statement_timeout')
    return Number(module.UTF8ToString(module._GetConfigOption(this.#settingName, 1, 0)))
  }
}
