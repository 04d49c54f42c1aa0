import { searchMessages } from '#src/contract/search.ts'

export default { error: searchMessages.load }
