import { archiveMessages } from '#src/contract/archive.ts'

export default { error: archiveMessages.loadStreamers }
