import { customType, index, integer, pgTable, smallint } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** A paste nobody can read from here: its address, which is in no row, gives both the row's key and the cipher's. */
export const paste = pgTable(
  'paste',
  {
    /** derived from the address */
    lookup: bytes().primaryKey(),
    /** iv, ciphertext and tag; bound to the columns above `views` */
    sealed: bytes().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    flags: smallint().notNull(),
    views: integer().notNull().default(0),
    /** SHA-256 of what its maker deletes it with */
    deleteHash: bytes('delete_hash').notNull(),
    /** SHA-256 of what shows that a reader has the browser's key; only where the browser encrypted */
    proofHash: bytes('proof_hash'),
  },
  (table) => [index('paste_by_expiry').on(table.expiresAt)],
)
