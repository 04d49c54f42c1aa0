import { DrizzleQueryError } from 'drizzle-orm'
import { ZodError } from 'zod'
import { type Database, openDatabase } from '#db/client.server.ts'
import { systemErrorText } from '#db/errors.server.ts'
import { createSessions } from '#server/core/auth/sessions.ts'
import { createPageCache } from '#server/core/cache/pageCache.ts'
import { allowSlowConnections, ensureDataDir, markBuild } from '#server/core/cli/startup.ts'
import { ignoreClosedOutput, printLine } from '#server/core/cli/terminal.ts'
import { type Config, readConfig } from '#server/core/config/config.ts'
import { readSiteFile } from '#server/core/config/siteFile.ts'
import type { Context, Services } from '#server/core/context.ts'
import { createFetcher } from '#server/core/http/fetcher.ts'
import { createImageProcessor } from '#server/core/media/imageProcessor.ts'
import { loadSecrets, type Secrets } from '#server/core/security/secrets.ts'
import { openFileStore } from '#server/core/storage/openStores.ts'
import { createKnownBoards } from '#server/features/board/boards/boards.ts'
import { createModerationState } from '#server/features/moderation/admission/moderationState.ts'
import type { Site } from '#src/contract/site.ts'
import { refusalText } from '#src/i18n/refusalText.ts'

/** Thrown for wrong arguments. `runCommand` then prints the help text. */
export class UsageError extends Error {}

const isUsageError = (error: unknown) =>
  error instanceof UsageError || String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')

/** All services except those that only a running server needs. */
export type CommandServices = ReturnType<typeof createServices>

function createServices(config: Config, site: Site, db: Database, secrets: Secrets) {
  const now = () => new Date()
  // Disabled, because a command does not serve pages. The database notifies the running site of changes.
  const base = { config, db, cache: createPageCache({ bytes: 0 }), now }
  const knownBoards = createKnownBoards(base)
  return {
    ...base,
    site,
    files: openFileStore(config),
    fetcher: createFetcher(),
    images: createImageProcessor({ limits: config.limits.images }),
    secrets,
    knownBoards,
    moderation: createModerationState({ ...base, knownBoards }),
    sessions: createSessions(db, secrets.token, now, config.requireSecondFactor),
  } satisfies Partial<Services>
}

/** Runs an operator's command, even while the site runs. Exits with the number from `run`, or 1 after an error. */
export async function runCommand(
  help: string,
  run: (services: CommandServices, args: string[]) => Promise<unknown>,
): Promise<void> {
  await runWithConfig(help, async (config, args) => {
    const site = await readSiteFile(config.siteFile)
    if (!config.databaseUrl) await ensureDataDir(config)
    const database = await openDatabase({ ...config, mode: 'command' })
    try {
      const secrets = await loadSecrets(config, database.db)
      return await run(createServices(config, site, database.db, secrets), args)
    } finally {
      await database.close()
    }
  })
}

/**
 * Creates the parts of a request's context that posts and images need. No limit of networks applies, and no origin is
 * stored.
 */
export function asContext(services: CommandServices): Context {
  const config = { ...services.config, rateLimit: false }
  const parts = { config, address: '', visitor: () => '', charge: () => {}, currentUser: async () => null }
  return { ...services, ...parts } as Partial<Context> as Context
}

/** Like `runCommand`, but for commands that open the database themselves. */
export async function runWithConfig(
  help: string,
  run: (config: Config, args: string[]) => Promise<unknown>,
): Promise<void> {
  allowSlowConnections()
  ignoreClosedOutput()
  if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${help}\n`)
    process.exit()
  }
  // Node may exit before `run` has finished, if nothing is pending. The exit code must then be 1.
  process.exitCode = 1
  markBuild()
  try {
    const code = await run(readConfig(), process.argv.slice(2))
    process.exitCode = typeof code === 'number' ? code : 0
  } catch (error) {
    printLine(isUsageError(error) ? help : explain(error))
  }
  process.exit()
}

/**
 * Returns a signal that aborts on an interrupt, so that the command can clean up. Sets the exit code that shells use.
 */
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

export function explain(error: unknown): string {
  if (error instanceof ZodError) return refusalText(error.issues[0]?.message ?? 'Wrong value')
  // The message of the wrapper is the query with all its values.
  if (error instanceof DrizzleQueryError && error.cause) return `The database refused a query: ${error.cause.message}`
  if (!(error instanceof Error)) return String(error)
  // The message of the operating system begins with a code, and names its call.
  const { path } = error as NodeJS.ErrnoException
  return path ? `Cannot use ${path}: ${systemErrorText(error)}` : error.message
}
