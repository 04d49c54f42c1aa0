import type { PageContext } from 'vike/types'
import { siteOf } from '#pages/siteOf.ts'

export default (pageContext: PageContext) => `${siteOf(pageContext).boardsName ?? ''} Admin Login`.trim()
