import { derivedFromData } from '#pages/pageData.ts'
import { OVERBOARD_PATH, overboardPath } from '#src/contract/boardPaths.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(({ cursor }) => overboardPath(cursor), OVERBOARD_PATH)
