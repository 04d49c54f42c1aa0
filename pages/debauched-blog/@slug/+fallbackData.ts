import { siteContentMessages } from '#src/contract/siteContent.ts'

export default { error: siteContentMessages.load }
