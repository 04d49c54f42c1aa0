import type { PageContext } from 'vike/types'
import { createHeadContext } from './head.ts'

export default (pageContext: PageContext) => pageContext.config.head?.description?.(createHeadContext(pageContext))
