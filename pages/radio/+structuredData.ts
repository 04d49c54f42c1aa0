import { derivedFromData } from '#pages/pageData.ts'
import { scheduleStructuredData } from '#src/features/show/structuredData.ts'
import type { StructuredData } from '#src/lib/structuredData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, StructuredData[]>(
  ({ schedule }, { siteUrl = '', site }) => scheduleStructuredData(schedule.occurrences, site.name, siteUrl),
  [],
)
