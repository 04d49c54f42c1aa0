import { eq } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/client.server.ts'
import { streamer, user } from '#db/schema/index.ts'
import { hashToken } from '#server/core/security/capability.ts'
import type { TestDatabase } from './databases.ts'

/** Lets a user stream under a name. The password for streaming is `password-NAME`. */
export async function addStreamer(db: Database, email: string, name: string, disabled = false): Promise<void> {
  const [found] = await db.select({ id: user.id }).from(user).where(eq(user.email, email))
  if (!found) throw new Error(`There is no user ${email}`)
  const passwordHash = hashToken(`password-${name}`, 'utf8')
  await db.insert(streamer).values({ userId: found.id, name, passwordHash, disabled, createdAt: new Date() })
}

/** Like `addStreamer`, for a site in another process. */
export async function addStreamerTo(location: TestDatabase, email: string, name: string): Promise<void> {
  const database = await openDatabase({ ...location, mode: 'command' })
  await addStreamer(database.db, email, name)
  await database.close()
}
