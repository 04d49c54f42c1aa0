import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/**
 * Creates a progress display on standard error: one line that changes on a terminal.
 * @param everyMs interval of lines if standard error is not a terminal; by default, none are printed
 */
export function showProgress(everyMs = Number.POSITIVE_INFINITY): (line: string) => void {
  let printedAt = process.stderr.isTTY ? 0 : Date.now()
  return (line) => {
    if (Date.now() - printedAt < (process.stderr.isTTY ? 200 : everyMs)) return
    printedAt = Date.now()
    process.stderr.write(process.stderr.isTTY ? `${CLEAR_LINE}${line}\r` : `${line}\n`)
  }
}

const CLEAR_LINE = '\x1b[K'

const print = (stream: NodeJS.WriteStream, line: string) =>
  void stream.write(`${stream.isTTY ? CLEAR_LINE : ''}${line}\n`)

/** Prints a message on standard error. */
export const printLine = (line: string) => print(process.stderr, line)

/** Prints a line of the result. On a terminal, it replaces the progress, too. */
export const printOutput = (line: string) => print(process.stdout, line)

/** Lets a command do its work to the end if its output is no longer read, as in `npm run seed | head -1`. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

/** Formats a count with its noun, such as `1,234 rows` or `1 row`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`

/** Reads one line from standard input. On a terminal, shows a prompt and hides the input. */
export async function readSecretLine(question: string): Promise<string> {
  const terminal = process.stdin.isTTY === true
  if (terminal) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, terminal, ...(terminal && { output: silent }) })
  const closed = once(lines, 'close').then(() => [''])
  const [line] = await Promise.race([once(lines, 'line'), closed])
  lines.close()
  if (terminal) process.stderr.write('\n')
  return String(line)
}
