import { randomUUID } from 'node:crypto'
import { openDatabase } from '#db/client.server.ts'
import { user } from '#db/schema/index.ts'
import { type App, type AppDeps, buildApp } from '#server/app.ts'
import { hashPassword } from '#server/core/auth/passwords.ts'
import { readConfig } from '#server/core/config/config.ts'
import { deriveSecrets } from '#server/core/security/secrets.ts'
import { findUser } from '#server/features/auth/service.ts'
import type { Role } from '#src/contract/auth.ts'
import { testDatabase } from './databases.ts'

/** A site for one test file, with an empty database, an empty folder and an adjustable clock. */
export type TestSite = {
  app: App
  dataDir: string
  databaseUrl: string | undefined
  /** the secret from which the keys are derived */
  secret: string
  /** stops the clock at `now`; null restarts the clock */
  setNow: (now: Date | null) => void
  /** creates a user and returns a session token */
  createToken: (email: string, role?: Role) => Promise<string>
  close: () => Promise<void>
}

/** The hash of all users' passwords, made once in each process, because it takes 80 ms of processor time. */
let passwordHash: Promise<string> | undefined

const SECRET = 'a secret that only tests know, long enough'

/**
 * @param env settings that override the test defaults; rate limits are off by default
 * @param deps replacements for the app's dependencies
 */
export async function startSite(env: Record<string, string> = {}, deps: Partial<AppDeps> = {}): Promise<TestSite> {
  const place = await testDatabase()
  const config = readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: 'off', NEWS_FEEDS: '', DATA_DIR: place.dataDir, ...env })
  const database = await openDatabase({ databaseUrl: place.databaseUrl, dataDir: place.dataDir })
  let fixed: Date | null = null
  const app = await buildApp({
    config,
    database,
    secrets: deriveSecrets(SECRET),
    now: () => fixed ?? new Date(),
    ...deps,
  })
  await app.ready()
  return {
    app,
    dataDir: place.dataDir,
    databaseUrl: place.databaseUrl,
    secret: SECRET,
    setNow: (now) => {
      fixed = now
    },
    createToken: async (email, role = 'member') => {
      const { db, sessions } = app.services
      passwordHash ??= hashPassword('correct horse battery')
      const account = { id: randomUUID(), email: email.toLowerCase(), role, passwordHash: await passwordHash }
      await db.insert(user).values(account).onConflictDoNothing()
      const found = await findUser(db, email)
      if (!found) throw new Error('User was not created')
      return sessions.create(found)
    },
    close: async () => {
      await app.close()
      await database.close()
      await place.cleanup()
    },
  }
}
