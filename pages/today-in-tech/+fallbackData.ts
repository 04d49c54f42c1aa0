import { newsMessages } from '#src/contract/news.ts'

export default { error: newsMessages.load }
