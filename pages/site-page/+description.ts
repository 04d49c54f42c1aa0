import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ title }, { site }) => `${title} of ${site.name}.`,
  ({ site }) => `A page of ${site.name}.`,
)
