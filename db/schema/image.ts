import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export type StoredImage = {
  name: string
  width: number
  height: number
  bytes: number
  storedBytes?: number
  /** Base64 of the MD5 of the full image; missing for images of older versions */
  md5?: string
  animated: boolean
  /** place among the images that its post was sent with, from 0; missing for the first one */
  place?: number
  preview: { name: string; width: number; height: number }
  display: { name: string; width: number; height: number }
}

/** An image of a post after the first one. */
export type FurtherImage = StoredImage & {
  /** the id of its files */
  id: string
}

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
