import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ZodError } from 'zod'
import { openDatabase } from '#db/client.server.ts'
import { type Config, readConfig } from './config.ts'
import type { Services } from './context.ts'
import { createFetcher } from './fetch.ts'
import { folderStore } from './files.ts'
import { createPageCache } from './pageCache.ts'
import { loadSecrets } from './secrets.ts'
import { createSessions } from './sessions.ts'

class Usage extends Error {}
/** Thrown by a command that was called with words it does not know. */
export const usage = () => new Usage()

/** Services without the parts that only a serving site has. */
export type CommandServices = Omit<Services, 'live' | 'radio' | 'log'>

/**
 * Runs an operator's command beside the running site or without it; ends the process with 0, the number it gives, or 1
 * and one line.
 */
export async function runCommand(
  help: string,
  run: (services: CommandServices, args: string[]) => Promise<unknown>,
): Promise<void> {
  await runWithConfig(help, async (config, args) => {
    const database = await openDatabase({ ...config, mode: 'command' })
    try {
      const secrets = await loadSecrets(config)
      const now = () => new Date()
      const services: CommandServices = {
        config,
        db: database.db,
        files: folderStore(resolve(config.dataDir, 'uploads')),
        fetcher: createFetcher(),
        secrets,
        // Nobody reads pages here; the site that runs hears of changes from the database.
        cache: createPageCache({ bytes: 0 }),
        sessions: createSessions(database.db, secrets.token, now),
        now,
      }
      return await run(services, args)
    } finally {
      await database.close()
    }
  })
}

/** Runs a command that opens by itself what it needs. */
export async function runWithConfig(
  help: string,
  run: (config: Config, args: string[]) => Promise<unknown>,
): Promise<void> {
  // A process that has nothing left to wait for ends by itself: that it did its work is said only when it did.
  process.exitCode = 1
  try {
    const code = await run(readConfig(process.env), process.argv.slice(2))
    process.exitCode = typeof code === 'number' ? code : 0
  } catch (error) {
    tell(error instanceof Usage ? help : explain(error))
  }
  process.exit()
}

/** Aborts when the operator interrupts: the command tidies up, and ends with the code that shells give a signal. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      process.exitCode = code
      controller.abort(new Error('Interrupted'))
    })
  }
  return controller.signal
}

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
export const tell = (line: string) => void process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${line}\n`)

function explain(error: unknown): string {
  if (error instanceof ZodError) return error.issues[0]?.message ?? 'Wrong value'
  return error instanceof Error ? error.message : String(error)
}

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
