import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Says on standard error how far a command is, to somebody who is watching. */
export function showProgress(): (line: string) => void {
  let shownAt = 0
  return (line) => {
    if (!process.stderr.isTTY || Date.now() - shownAt < 200) return
    shownAt = Date.now()
    process.stderr.write(`${CLEAR_LINE}${line}\r`)
  }
}

const CLEAR_LINE = '\x1b[K'

/** A line for the operator on standard error, in the place of the progress shown last. */
export const printLine = (line: string) =>
  void process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${line}\n`)

/** One line of standard input; at a terminal it is asked for and not shown. */
export async function readSecretLine(question: string): Promise<string> {
  const terminal = process.stdin.isTTY === true
  if (terminal) process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, terminal, ...(terminal && { output: silent() }) })
  const closed = once(lines, 'close').then(() => [''])
  const [line] = await Promise.race([once(lines, 'line'), closed])
  lines.close()
  if (terminal) process.stderr.write('\n')
  return String(line)
}

/** Readline echoes what is typed into its output: here it goes nowhere. */
const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() })
