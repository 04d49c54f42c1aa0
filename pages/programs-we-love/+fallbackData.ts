import { programMessages } from '#src/contract/program.ts'

export default { error: programMessages.load }
