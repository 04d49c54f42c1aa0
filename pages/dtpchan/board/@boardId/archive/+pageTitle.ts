import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(({ page: { board } }) => `Archive of /${board.id}/ - ${board.name}`, 'Archive')
