// Draws the icons in public/ from the site's mark. Run it after changing the mark: npx tsx build/icons.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMark } from '#server/core/media/mark.ts'
import { drawSiteImage } from '#server/core/media/siteImage.ts'
import { DEFAULT_ACCENT } from '#src/contract/site.ts'

const mark = Buffer.from(createMark(DEFAULT_ACCENT))
const icons = { ...(await drawSiteImage(mark, 'icons')), 'favicon.svg': mark }
for (const [name, bytes] of Object.entries(icons)) writeFileSync(join(import.meta.dirname, '../public', name), bytes)
