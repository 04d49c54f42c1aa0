import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle'
import { and, desc, eq, gt, lt, ne } from 'drizzle-orm'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { Lucia, TimeSpan } from 'lucia'
import type { Database } from '#db/client.server.ts'
import { pick } from '#db/schema/columns.ts'
import { session, user } from '#db/schema/index.ts'
import { type AuthUser, userSchema } from '#src/contract/auth.ts'

const LIFETIME_DAYS = 30
/** Limits writes: the list of sessions shows when each was used, accurate to an hour. */
const USED_ACCURACY_MS = 60 * 60 * 1000

const { needsSecondFactor: _computed, ...shown } = userSchema.shape
/** The columns that requests know of their user. */
const known = { ...shown, secondFactor: true }

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof createLucia>
    DatabaseUserAttributes: Pick<typeof user.$inferSelect, keyof typeof known>
    DatabaseSessionAttributes: { client: string; usedAt: Date }
  }
}

/** A user with a valid token and session. Email and role come from the database, not from the token. */
export type SessionUser = AuthUser & { id: string; sessionId: string }

function createLucia(db: Database) {
  return new Lucia(new DrizzlePostgreSQLAdapter(db, session, user), {
    sessionExpiresIn: new TimeSpan(LIFETIME_DAYS, 'd'),
    getUserAttributes: (row) => pick(row, known),
    getSessionAttributes: ({ usedAt }) => ({ usedAt }),
  })
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Creates and validates bearer tokens for Lucia's sessions. Each token is a JWT with the session's id.
 * @param key 32 bytes for HS256
 * @param requireSecondFactor gives admins without a second factor the rights of members
 */
export function createSessions(db: Database, key: Uint8Array, now: () => Date, requireSecondFactor: boolean) {
  const lucia = createLucia(db)

  return {
    /** @param client the browser and system that the list of sessions shows */
    async create(account: { id: string } & AuthUser, client = ''): Promise<string> {
      const { id, expiresAt } = await lucia.createSession(account.id, { client, usedAt: now() })
      return new SignJWT({ sid: id, email: account.email, role: account.role })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(now())
        .setExpirationTime(expiresAt)
        .sign(key)
    },

    async validate(token: string): Promise<SessionUser | null> {
      const sessionId = await readSessionId(token, key, now())
      if (!sessionId) return null
      const { session, user } = await lucia.validateSession(sessionId)
      if (!session) return null
      const before = new Date(now().getTime() - USED_ACCURACY_MS)
      if (session.usedAt < before) await markUsed(db, sessionId, now(), before)
      const { secondFactor, ...account } = user
      if (!requireSecondFactor || account.role !== 'admin' || secondFactor) return { ...account, sessionId }
      return { ...account, role: 'member', needsSecondFactor: true, sessionId }
    },

    list: (userId: string) =>
      db
        .select({ id: session.id, client: session.client, createdAt: session.createdAt, usedAt: session.usedAt })
        .from(session)
        .where(and(eq(session.userId, userId), gt(session.expiresAt, now())))
        .orderBy(desc(session.usedAt), session.id),

    async endOne(userId: string, sessionId: string): Promise<void> {
      await db.delete(session).where(and(eq(session.userId, userId), eq(session.id, sessionId)))
    },

    end: (sessionId: string) => lucia.invalidateSession(sessionId),

    endAll: (userId: string) => lucia.invalidateUserSessions(userId),

    async endOthers({ id, sessionId }: SessionUser): Promise<void> {
      await db.delete(session).where(and(eq(session.userId, id), ne(session.id, sessionId)))
    },

    deleteExpired: () => lucia.deleteExpiredSessions(),
  }
}

/** Changes nothing if another request has already marked the session. */
async function markUsed(db: Database, sessionId: string, usedAt: Date, before: Date): Promise<void> {
  await db
    .update(session)
    .set({ usedAt })
    .where(and(eq(session.id, sessionId), lt(session.usedAt, before)))
}

async function readSessionId(token: string, key: Uint8Array, now: Date): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: now })
    return typeof payload.sid === 'string' ? payload.sid : null
  } catch (error) {
    if (error instanceof joseErrors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
