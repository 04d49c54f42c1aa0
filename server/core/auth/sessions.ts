import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle'
import { and, eq, ne } from 'drizzle-orm'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { Lucia, TimeSpan } from 'lucia'
import type { Database } from '#db/client.server.ts'
import { session, user } from '#db/schema/index.ts'
import type { AuthUser, Role } from '#src/contract/user.ts'

const LIFETIME_DAYS = 30

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof createLucia>
    DatabaseUserAttributes: { email: string; role: Role; generatedPassword: boolean }
  }
}

/** A user with a valid token and session. Role and email come from the database, not from the token. */
export type SessionUser = AuthUser & { id: string; sessionId: string }

function createLucia(db: Database) {
  return new Lucia(new DrizzlePostgreSQLAdapter(db, session, user), {
    sessionExpiresIn: new TimeSpan(LIFETIME_DAYS, 'd'),
    getUserAttributes: ({ email, role, generatedPassword }) => ({ email, role, generatedPassword }),
  })
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Creates and validates bearer tokens for Lucia's sessions. Each token is a JWT with the session's id.
 * @param key 32 bytes for HS256
 */
export function createSessions(db: Database, key: Uint8Array, now: () => Date) {
  const lucia = createLucia(db)

  return {
    async create(account: { id: string } & AuthUser): Promise<string> {
      const { id, expiresAt } = await lucia.createSession(account.id, {})
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
      const { id, email, role, generatedPassword } = user
      return { id, email, role, generatedPassword, sessionId }
    },

    end: (sessionId: string) => lucia.invalidateSession(sessionId),

    endAll: (userId: string) => lucia.invalidateUserSessions(userId),

    async endOthers({ id, sessionId }: SessionUser): Promise<void> {
      await db.delete(session).where(and(eq(session.userId, id), ne(session.id, sessionId)))
    },

    deleteExpired: () => lucia.deleteExpiredSessions(),
  }
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
