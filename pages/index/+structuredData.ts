import type { PageContext } from 'vike/types'
import { siteStructuredData } from '#src/features/site/structuredData.ts'

export default ({ site, siteUrl = '' }: PageContext) => siteStructuredData(site, siteUrl)
