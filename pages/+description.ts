import type { PageContext } from 'vike/types'
import { createHeadContext } from './headContext.ts'

export default (pageContext: PageContext) => pageContext.config.head?.description?.(createHeadContext(pageContext))
