import { readdir } from 'node:fs/promises'
import { type AddressInfo, createConnection } from 'node:net'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { TestSite } from './site.ts'

/** Counts of rows and files, which a refused call must not change. */
export async function snapshotStorage(site: TestSite): Promise<unknown> {
  const counted = sql`select (select count(*) from board)::int as boards, (select count(*) from thread)::int as threads,
    (select count(*) from post)::int as posts, (select count(*) from quote)::int as quotes`
  const [rows] = await site.app.services.db.execute(counted)
  return { rows, files: await listStoredFiles(site) }
}

/** Lists all files in the uploads folder, including unfinished writes. */
export async function listStoredFiles(site: Pick<TestSite, 'dataDir'>): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(join(site.dataDir, 'uploads'), options).catch(() => [])
  return entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort()
}

export const BOUNDARY = 'edge-of-a-part'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** Returns the bytes of a form part with the given header lines. */
export const part = (disposition: string, body: string | Uint8Array, type?: string): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n`),
    Buffer.from(type ? `Content-Type: ${type}\r\n\r\n` : '\r\n'),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ])

export const fieldPart = (name: string, value: string | Uint8Array): Buffer => part(`form-data; name="${name}"`, value)
export const filePart = (name: string, filename: string, type: string, bytes: Uint8Array | string): Buffer =>
  part(`form-data; name="${name}"; filename="${filename}"`, bytes, type)

/** Returns a complete form of such parts. */
export const formBody = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a foreign client would
type RawResponse = { status: number; body: any }

const TIMEOUT_MS = 10_000

/**
 * Sends raw bytes to a site and returns everything received until the connection ends.
 * @param halfClose half-closes the connection after the last byte, like a client that aborts
 */
export function sendRaw(
  site: TestSite,
  request: (string | Uint8Array)[],
  { halfClose = false } = {},
): Promise<{ responses: RawResponse[] }> {
  return new Promise((resolve, reject) => {
    const socket = createConnection((site.app.server.address() as AddressInfo).port, '127.0.0.1')
    const received: Buffer[] = []
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error(`No data for too long after: ${Buffer.concat(received)}`)),
    )
    socket.on('data', (chunk) => received.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve({ responses: parseResponses(Buffer.concat(received)) }))
    for (const bytes of request) socket.write(bytes)
    if (halfClose) socket.end()
  })
}

function parseResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n') + 4
    const head = rest.subarray(0, end).toString('latin1')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? rest.length - end)
    const text = rest.subarray(end, end + length).toString()
    responses.push({ status: Number(head.split(' ')[1]), body: text.startsWith('{') ? JSON.parse(text) : text })
    rest = rest.subarray(end + length)
  }
  return responses
}

/** Returns a request head with the given lines. */
export const requestHead = (method: string, path: string, ...lines: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')
