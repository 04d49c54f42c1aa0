import type { Services } from '#server/core/context.ts'
import { brandStylesUrl } from '#server/features/site/brandStyles.ts'
import { writeBanner } from '#server/features/site/images/banners.ts'
import { iconsQuery } from '#server/features/site/images/siteImages.ts'
import type { Site } from '#src/contract/site.ts'

/**
 * Returns a function that reads the parts of pages that come from the operator's images.
 * @param onChange called before changed parts are returned
 */
export function createBrandReader(
  { siteImages }: Pick<Services, 'siteImages'>,
  { accent }: Pick<Site, 'accent'>,
  onChange: () => void,
) {
  let known = ''
  return async () => {
    const images = await siteImages()
    const urls = { brandStyles: brandStylesUrl({ accent, ...images }), iconsQuery: iconsQuery(images.icons) }
    const found = JSON.stringify(urls)
    if (found !== known) onChange()
    known = found
    return { ...urls, writeBanner: (boardId: string, page: string) => writeBanner(images, boardId, page) }
  }
}
