import { index, integer, pgTable, smallint } from 'drizzle-orm/pg-core'
import { bytes, instant } from './columns.ts'

/**
 * An encrypted paste. Its URL contains a secret that is not stored; `lookup` and the cipher's key are derived from it.
 */
export const paste = pgTable(
  'paste',
  {
    lookup: bytes().primaryKey(),
    /** iv, ciphertext and tag; the tag also authenticates `createdAt`, `expiresAt` and `flags` */
    sealed: bytes().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    flags: smallint().notNull(),
    views: integer().notNull().default(0),
    deleteHash: bytes('delete_hash').notNull(),
    /** SHA-256 of a token that proves that the reader has the key; only for pastes that a browser encrypted */
    proofHash: bytes('proof_hash'),
  },
  (table) => [index('paste_by_expiry').on(table.expiresAt)],
)
