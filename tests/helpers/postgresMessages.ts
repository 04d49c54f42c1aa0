/** Returns a message of PostgreSQL's protocol. @param type empty for the first message of a client */
export function message(type: string, body = ''): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(body, 'latin1') + 4)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')])
}

export const STARTUP = message('', '\0\x03\0\0user\0postgres\0\0')
