import NetTransport from 'irc-framework/src/transports/net.js'

/** Limits memory: the library would collect a line without an end forever. Lines with tags have at most 8,703 bytes. */
const MAX_LINE_BYTES = 16 * 1024

/** Splits the server's bytes into lines. Bytes that are not UTF-8 become replacement characters. */
export class BoundedTransport extends NetTransport {
  override onSocketData(data: Buffer): void {
    const bytes = Buffer.concat([this.incoming_buffer, data])
    let start = 0
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
      this.#emitLine(bytes.toString('utf8', start, Math.min(end, start + MAX_LINE_BYTES)))
      start = end + 1
    }
    this.incoming_buffer = Buffer.from(bytes.subarray(start))
    if (this.incoming_buffer.length > MAX_LINE_BYTES) this.close(true)
  }

  /** An error must not reach the socket's event: it would end the process. */
  #emitLine(line: string): void {
    try {
      this.emit('line', line)
    } catch (error) {
      this.emit('extra', 'broken line', error)
    }
  }
}
