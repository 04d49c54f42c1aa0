import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { readNotice } from '#server/features/moderation/admission/switches.ts'
import { brandStylesUrl } from '#server/features/site/brandStyles.ts'
import { writeBanner } from '#server/features/site/images/banners.ts'
import { iconsQuery } from '#server/features/site/images/siteImages.ts'
import type { Site } from '#src/contract/site.ts'
import type { SiteSwitch } from '#src/contract/switches.ts'

/** Limits the delay of a page if the database does not answer. */
const WAIT_MS = 500

/** Reads the parts of pages that come from the operator's images. */
export async function readBrand({ siteImages }: Pick<Services, 'siteImages'>, { accent }: Pick<Site, 'accent'>) {
  const images = await siteImages()
  return {
    brandStyles: brandStylesUrl({ accent, ...images }),
    iconsQuery: iconsQuery(images.icons),
    writeBanner: (boardId: string, page: string) => writeBanner(images, boardId, page),
  }
}

/** Returns a function that reads the notice for visitors. Without the database, it returns the previous notice. */
export function createNoticeReader(services: Services): () => Promise<SiteSwitch[]> {
  let switches: SiteSwitch[] = []
  return async () => {
    const reading = readNotice(services).catch(() => switches)
    switches = await Promise.race([reading, sleep(WAIT_MS, switches, { ref: false })])
    return switches
  }
}
