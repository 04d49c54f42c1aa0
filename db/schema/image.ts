import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import type { StoredImage } from './storedImage.ts'

/** Shared images. The server stops serving them at `expiresAt`, and deletes them soon after. */
export const imageShare = pgTable(
  'image_share',
  {
    id: text().primaryKey(),
    imageId: text('image_id').notNull(),
    image: jsonb().$type<StoredImage>().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    views: integer().notNull().default(0),
    deleteHash: text('delete_hash').notNull(),
  },
  (table) => [
    uniqueIndex('image_share_by_image').on(table.imageId),
    index('image_share_by_expiry').on(table.expiresAt),
  ],
)
