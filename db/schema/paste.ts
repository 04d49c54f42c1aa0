import { customType, index, integer, pgTable, smallint } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** An encrypted paste: the capability in its URL, which is not stored, derives the row's key and the cipher's key. */
export const paste = pgTable(
  'paste',
  {
    lookup: bytes().primaryKey(),
    /** iv, ciphertext and tag; authenticates the columns above `views` */
    sealed: bytes().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    flags: smallint().notNull(),
    views: integer().notNull().default(0),
    deleteHash: bytes('delete_hash').notNull(),
    /** SHA-256 of the token that proves that a reader has the browser's key; only for pastes encrypted in a browser */
    proofHash: bytes('proof_hash'),
  },
  (table) => [index('paste_by_expiry').on(table.expiresAt)],
)
