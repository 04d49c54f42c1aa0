import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { ROLES } from '#src/contract/auth.ts'
import { bytes, instant } from './columns.ts'

export const user = pgTable('user', {
  id: text().primaryKey(),
  /** always lower case */
  email: text().notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  /** whether the site generated the password; the admin who added the user, or the server's log, may still know it */
  generatedPassword: boolean('generated_password').notNull().default(false),
  role: text({ enum: ROLES }).notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** whether the password alone is not enough: the user has an authenticator app or a passkey */
  secondFactor: boolean('second_factor').notNull().default(false),
  /** key of the authenticator app, encrypted with the site's secret; null without an app */
  totpSecret: bytes('totp_secret'),
  /** time step of the last accepted code: a code works once */
  totpStep: integer('totp_step').notNull().default(0),
})

/** A reference to the user to whom the row belongs: it is deleted with the user. */
export const ownerId = () =>
  text('user_id')
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

/** Recovery codes that are still unused, as SHA-256. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: ownerId(),
    hash: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

export const passkey = pgTable(
  'passkey',
  {
    /** the credential's id in base64url */
    id: text().primaryKey(),
    userId: ownerId(),
    name: text().notNull(),
    publicKey: bytes('public_key').notNull(),
    /** signatures so far; 0 for passkeys that do not count */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('passkey_by_user').on(table.userId)],
)

export const session = pgTable('session', {
  id: text().primaryKey(),
  userId: ownerId(),
  expiresAt: instant('expires_at').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** accurate to an hour */
  usedAt: instant('used_at').notNull().defaultNow(),
  /** browser and system, such as `Firefox on Linux`; empty if unknown */
  client: text().notNull().default(''),
})

/** Networks that a user logged in from, as keyed hashes. Failed logins from other networks do not lock the user out. */
export const knownNetwork = pgTable(
  'known_network',
  {
    userId: ownerId(),
    network: text().notNull(),
    loggedInAt: instant('logged_in_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.network] })],
)
