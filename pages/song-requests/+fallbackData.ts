import { songRequestMessages } from '#src/contract/songRequest.ts'

export default { error: songRequestMessages.load }
