import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ZodError } from 'zod'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { defaultSite, siteSchema } from '#src/contract/site.ts'
import { type App, buildApp } from './app.ts'
import { type Config, readConfig } from './core/config.ts'
import { loadSecrets } from './core/secrets.ts'
import { sweepFiles } from './core/sweep.ts'
import { ensureAdmin } from './features/auth/service.ts'
import { addFirstPrograms } from './features/program/first.ts'
import { fileOwners, startJobs } from './jobs.ts'
import { registerPages } from './ssr.ts'

/** Whoever stops the process kills it after ten seconds. */
const CLOSE_WITHIN_MS = 9_000
/** What is still being sent or received then is cut off. */
const CUT_AFTER_MS = 4_000

const LOOPBACK = /^(localhost|127\..*|::1)$/

let closing = false
let database: DatabaseHandle | undefined
let app: App | undefined
let jobs: ReturnType<typeof startJobs> | undefined

async function main(): Promise<void> {
  const dev = process.argv.includes('--dev')
  const config = readConfig(process.env)
  const site = await readSite(config)
  database = await openDatabase({ ...config, onCrash: fail })
  const secrets = await loadSecrets(config)
  app = await buildApp({
    config,
    database,
    secrets,
    site,
    dev,
    clientDir: dev ? null : await loadBuiltPages(),
    pages: async (app, services, site) => {
      if (dev) await (await import('./plugins/dev.ts')).registerDevServer(app)
      registerPages(app, services, site)
    },
  })
  // The embedded database has one process only: nobody else can be writing a post at this moment.
  if (database.kind === 'embedded') await sweepFiles(app.services, fileOwners, 0)
  const admin = await ensureAdmin(app.services)
  await addFirstPrograms(app.services)
  await app.listen({ host: config.host, port: config.port })
  jobs = startJobs(app.services)
  welcome(app, config, admin)
  if (!config.siteUrlGiven && !LOOPBACK.test(config.host)) {
    app.log.warn(`SITE_URL is not set: links for others will begin with ${config.siteUrl}`)
  }
}

/** Ends with 0 what is there so far; in a container a signal that nobody listens to would be lost. */
async function close(): Promise<void> {
  if (closing) return
  closing = true
  setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref()
  // Closing the server lets go those that are idle then; live ones that end now would be kept alive.
  setInterval(() => app?.server.closeIdleConnections(), 50).unref()
  setTimeout(() => app?.server.closeAllConnections(), CUT_AFTER_MS).unref()
  // First, so that what they ask of others ends as well and counts as nobody's failure.
  const idle = jobs?.close()
  await app?.close()
  await idle
  await database?.close()
  process.exit(0)
}

/** The community's own settings over the defaults. */
async function readSite({ siteFile }: Config) {
  if (!siteFile) return defaultSite
  try {
    return siteSchema.parse(JSON.parse(await readFile(siteFile, 'utf8')))
  } catch (error) {
    const [issue] = error instanceof ZodError ? error.issues : []
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : (error as Error).message
    throw new Error(`Setting SITE_FILE is wrong: ${siteFile} ${reason}`)
  }
}

/** Loads what `vike build` made, beside this bundle, and gives the folder of its client files. */
async function loadBuiltPages(): Promise<string> {
  const dist = join(dirname(fileURLToPath(import.meta.url)), '..')
  await import(join(dist, 'server', 'entry.mjs'))
  return join(dist, 'client')
}

/** For a person at the terminal, not for the log: the password is shown this once. */
function welcome(app: App, config: Config, admin: { email: string; password: string } | null): void {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const lines = [`\n  The site is at http://localhost:${port}`]
  if (admin) {
    lines.push(
      '\n  A first admin was made. The password is shown this once:',
      `    email     ${admin.email}`,
      `    password  ${admin.password}`,
    )
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** What fails because the site is closing is no failure. */
const fail = (error: unknown) => closing || end(error)

function end(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => close().catch(end))
main().catch(fail)
