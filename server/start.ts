import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { systemErrorText } from '#db/errors.server.ts'
import { type App, buildApp } from './app.ts'
import { verifyBackupFolder } from './core/backup/destination.ts'
import { allowSlowConnections, ensureDataDir, markBuild } from './core/cli/startup.ts'
import { type Config, readConfig } from './core/config/config.ts'
import { readSiteFile } from './core/config/siteFile.ts'
import { startJobs } from './core/jobs/jobRunner.ts'
import { loadSecrets } from './core/security/secrets.ts'
import { usesBucket, verifyBucket } from './core/storage/openStores.ts'
import { ensureAdmin } from './features/auth/service.ts'
import { startIrc } from './features/irc/bot.ts'
import { addDefaultPrograms } from './features/program/service.ts'
import { startListenerCounts } from './features/radio/output/listenerCounts.ts'
import { assertVisibleAccent } from './features/site/brandStyles.ts'
import { cleanUpFiles, createJobs } from './jobs.ts'
import type { Vike } from './plugins/pages/renderPage.ts'
import { registerPages } from './plugins/pages/ssr.ts'

const LOOPBACK = /^(localhost|127\..*|::1)$/

type Closable = { close: () => Promise<void> }
export type Running = {
  database?: DatabaseHandle
  app?: App
  jobs?: Closable
  irc?: Closable
  listenerCounts?: ReturnType<typeof startListenerCounts>
}

/** Starts the site. Adds each part to `running` as soon as the part must be closed on shutdown. */
export async function start(running: Running, onCrash: (error: Error) => void): Promise<void> {
  allowSlowConnections()
  const dev = process.argv.includes('--dev')
  const config = readConfig()
  const site = await readSiteFile(config.siteFile)
  assertVisibleAccent(site.accent)
  await ensureDataDir(config)
  if (config.bucket && usesBucket(config)) await verifyBucket(config.bucket)
  const { everySeconds, store, folder } = config.backups
  if (everySeconds !== null && store === 'folder') await verifyBackupFolder(folder)
  const database = await openDatabase({ ...config, onCrash })
  running.database = database
  const build = dev ? null : findBuild()
  let isStarted = false
  const app = await buildApp({
    config,
    isStarted: () => isStarted,
    database,
    secrets: await loadSecrets(config, database.db),
    site,
    dev,
    clientDir: build && join(build, 'client'),
    pages: async (app, services, site) => {
      if (dev) await (await import('./plugins/pages/devServer.ts')).registerDevServer(app)
      let vike: Promise<Vike> | undefined
      const renderer = { earlyScriptUrl: await findEarlyScript(build), loadVike: () => (vike ??= loadVike(build)) }
      registerPages(app, services, site, renderer)
    },
  })
  running.app = app
  // Delete even new files: only this process uses the embedded database, and it accepts no posts yet. Listing a bucket
  // takes too long for a start, so its files wait for the job.
  if (database.kind === 'embedded' && !app.services.files.isShared) await cleanUpFiles(app.services, 0)
  // Listen before creating the first admin: if listening failed later, its error could hide the printed password.
  await listen(app, config)
  const origin = originOf(app, config)
  const admin = await ensureAdmin(app.services)
  if (admin) printAdmin(admin, config.siteUrlGiven ? config.siteUrl : origin)
  await addDefaultPrograms(app.services)
  isStarted = true
  running.irc = startIrc(app.services)
  running.listenerCounts = startListenerCounts(app.services)
  running.jobs = startJobs(app.services, createJobs(config))
  process.stderr.write(`\n  The site is at ${origin}\n\n`)
  if (!config.siteUrlGiven && !LOOPBACK.test(config.host)) {
    app.log.warn(`SITE_URL is not set: links for others will begin with ${config.siteUrl}`)
  }
}

/** @throws Error with one line that names the settings */
async function listen(app: App, { host, port }: Config): Promise<void> {
  await app.listen({ host, port }).catch((error) => {
    const at = `${host.includes(':') ? `[${host}]` : host}:${port}`
    throw new Error(`Settings HOST and PORT are wrong: cannot listen on ${at}: ${systemErrorText(error)}`, {
      cause: error,
    })
  })
}

/** Returns the folder of this build, and keeps it while the process runs: code is also loaded later. */
function findBuild(): string {
  markBuild()
  return join(dirname(fileURLToPath(import.meta.url)), '..')
}

/**
 * Returns the URL of `pages/early.js`. A build has a hash in the file's name: browsers and CDNs keep assets for a year, so
 * a process of another build must not answer the URL with its own script.
 */
async function findEarlyScript(build: string | null): Promise<string> {
  if (!build) return '/pages/early.js'
  const names = await readdir(join(build, 'client/assets'))
  return `/assets/${names.find((name) => /^early-\w+\.js$/.test(name))}`
}

async function loadVike(build: string | null): Promise<Vike> {
  if (build) await import(join(build, 'site', 'pages.mjs'))
  return import('vike/server')
}

function originOf(app: App, config: Config): string {
  const address = app.server.address()
  return `http://localhost:${typeof address === 'object' && address ? address.port : config.port}`
}

/** Prints beside the log on standard output: its lines are JSON, and the password must not be in it. */
function printAdmin(admin: { email: string; password: string }, siteUrl: string): void {
  const lines = [
    '\n  Created the first admin. The password is shown only this once:',
    `    email     ${admin.email}`,
    `    password  ${admin.password}`,
    '\n  Everyone who can read this output or a log of it can log in. Change the password:',
    `    on the site       ${siteUrl}/account`,
    `    at the terminal   npm run users -- passwd ${admin.email}`,
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
}
