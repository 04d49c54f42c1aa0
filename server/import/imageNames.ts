import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { importedImage, missingImage } from '#db/schema/index.ts'
import { recordset } from './insertRows.ts'
import type { PostImages } from './postImages.ts'

/** A thumbnail has the same name with another extension. */
export const withoutExtension = (name: string) => name.replace(/\.[^./]*$/, '')

/** Remembers the names of stored images, and the images that the next run tries again. */
export async function recordImages(
  tx: Transaction,
  source: string,
  posts: ReadonlyMap<number, PostImages>,
): Promise<void> {
  const stored = [...posts].flatMap(([number, { images, names }]) =>
    images.map(({ place = 0 }, index) => ({ number, name: withoutExtension(names[index] ?? ''), place })),
  )
  const missing = [...posts].flatMap(([number, post]) => post.missing.map((name) => ({ number, name })))
  if (stored.length > 0) {
    const given = recordset(stored, 'number bigint, name text, place int')
    // A moderator has deleted the image that was at this place.
    await tx.execute(sql`delete from ${importedImage} using ${given} where ${importedImage.source} = ${source}
      and ${importedImage.number} = given.number and ${importedImage.place} = given.place`)
    await tx.execute(sql`insert into ${importedImage} (source, number, name, place)
      select distinct on (number, name) ${source}, number, name, place from ${given}
      on conflict (source, number, name) do update set place = excluded.place`)
  }
  if (missing.length > 0)
    await tx.execute(sql`insert into ${missingImage} (source, number, name)
      select ${source}, number, name from ${recordset(missing, 'number bigint, name text')} on conflict do nothing`)
}
