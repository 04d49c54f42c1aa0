import { Socket } from 'node:net'

const ICY_START = Buffer.from('ICY ')
const HTTP_START = Buffer.from('HTTP/1.0 ')

/** Replaces the start of a SHOUTcast 1 status line, `ICY 200 OK`, because Node's parser rejects it. */
export class IcySocket extends Socket {
  /** the first bytes, while they can be an incomplete `ICY `; null afterwards */
  #start: Buffer | null = Buffer.alloc(0)

  override push(chunk: Buffer | null): boolean {
    if (this.#start === null) return super.push(chunk)
    const start = Buffer.concat([this.#start, chunk ?? Buffer.alloc(0)])
    const isIncomplete = start.length < ICY_START.length && start.equals(ICY_START.subarray(0, start.length))
    this.#start = chunk && isIncomplete ? start : null
    if (this.#start) return true
    const isIcy = start.subarray(0, ICY_START.length).equals(ICY_START)
    const wantsMore = super.push(isIcy ? Buffer.concat([HTTP_START, start.subarray(ICY_START.length)]) : start)
    return chunk ? wantsMore : super.push(null)
  }
}
