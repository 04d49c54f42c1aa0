import { imageMessages } from '#src/contract/image.ts'

export default { error: imageMessages.loadShare }
