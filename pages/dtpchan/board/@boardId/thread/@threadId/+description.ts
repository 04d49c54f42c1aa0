import type { PageContext } from 'vike/types'
import { excerpt } from '#src/lib/excerpt.ts'
import type { Data } from './+data.ts'

export default ({ data }: PageContext) => excerpt((data as Data).thread.content, 160)
