import { resolve } from 'node:path'
import { ZodError } from 'zod'
import { openDatabase } from '#db/client.server.ts'
import { createSessions } from '#server/core/auth/sessions.ts'
import { createPageCache } from '#server/core/cache/pageCache.ts'
import { type Config, readConfig } from '#server/core/config/config.ts'
import type { Services } from '#server/core/context.ts'
import { createFetcher } from '#server/core/http/fetcher.ts'
import { createImageProcessor } from '#server/core/media/imageProcessor.ts'
import { loadSecrets } from '#server/core/security/secrets.ts'
import { createFileStore } from '#server/core/storage/fileStore.ts'
import { markBuild } from './buildMarker.ts'
import { ensureDataDir } from './startup.ts'
import { printLine } from './terminal.ts'

class Usage extends Error {}
/** Thrown by a command that was called with words it does not know. */
export const usageError = () => new Usage()

/** Services without the parts that only a serving site has. */
export type CommandServices = Omit<
  Services,
  'eventHub' | 'radio' | 'responseBudget' | 'bodyBudget' | 'costs' | 'largeReads' | 'log'
>

/**
 * Runs an operator's command beside the running site or without it; ends the process with 0, the number it gives, or 1
 * and one line. With `--help` it prints how to use it.
 */
export async function runCommand(
  help: string,
  run: (services: CommandServices, args: string[]) => Promise<unknown>,
): Promise<void> {
  await runWithConfig(help, async (config, args) => {
    if (!config.databaseUrl) await ensureDataDir(config)
    const database = await openDatabase({ ...config, mode: 'command' })
    try {
      const secrets = await loadSecrets(config, database.db)
      const now = () => new Date()
      const services: CommandServices = {
        config,
        db: database.db,
        files: createFileStore(resolve(config.dataDir, 'uploads')),
        fetcher: createFetcher(),
        images: createImageProcessor({ limits: config.limits.images }),
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
  if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${help}\n`)
    process.exit()
  }
  // A process that has nothing left to wait for ends by itself: that it did its work is said only when it did.
  process.exitCode = 1
  markBuild()
  try {
    const code = await run(readConfig(process.env), process.argv.slice(2))
    process.exitCode = typeof code === 'number' ? code : 0
  } catch (error) {
    printLine(error instanceof Usage ? help : explain(error))
  }
  process.exit()
}

/** Aborts when the operator interrupts: the command tidies up, and ends with the code that shells give a signal. */
export function createInterruptSignal(): AbortSignal {
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

function explain(error: unknown): string {
  if (error instanceof ZodError) return error.issues[0]?.message ?? 'Wrong value'
  return error instanceof Error ? error.message : String(error)
}
