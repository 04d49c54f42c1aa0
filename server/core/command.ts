import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ZodError } from 'zod'
import { openDatabase } from '#db/client.server.ts'
import { readConfig } from './config.ts'
import type { Services } from './context.ts'
import { createFetcher } from './fetch.ts'
import { folderStore } from './files.ts'
import { loadSecrets } from './secrets.ts'
import { createSessions } from './sessions.ts'

class Usage extends Error {}
/** Thrown by a command that was called with words it does not know. */
export const usage = () => new Usage()

/** Services without the parts that only a serving site has. */
export type CommandServices = Omit<Services, 'live' | 'radio' | 'log'>

/** Runs an operator's command beside the running site or without it; ends the process with 0, or 1 and one line. */
export async function runCommand(
  help: string,
  run: (services: CommandServices, args: string[]) => Promise<void>,
): Promise<void> {
  let close = async () => {}
  try {
    const config = readConfig(process.env)
    const database = await openDatabase({ ...config, mode: 'command' })
    close = database.close
    const secrets = await loadSecrets(config)
    const now = () => new Date()
    await run(
      {
        config,
        db: database.db,
        files: folderStore(resolve(config.dataDir, 'uploads')),
        fetcher: createFetcher(),
        secrets,
        sessions: createSessions(database.db, secrets.token, now),
        now,
      },
      process.argv.slice(2),
    )
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${error instanceof Usage ? help : explain(error)}\n`)
  } finally {
    await close()
  }
  process.exit()
}

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
