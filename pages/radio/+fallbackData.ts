import { showMessages } from '#src/contract/show.ts'

export default { error: showMessages.load }
