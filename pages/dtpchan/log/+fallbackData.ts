import { moderationMessages } from '#src/contract/moderation.ts'

export default { error: moderationMessages.loadLog }
