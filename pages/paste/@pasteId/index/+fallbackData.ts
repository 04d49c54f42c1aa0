import { pasteMessages } from '#src/contract/paste.ts'

export default { error: pasteMessages.load }
