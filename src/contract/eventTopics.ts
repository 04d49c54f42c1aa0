/** Of these every change is a row: what was missed is told again. */
export type StoredTopic = 'boards' | `board:${string}` | `thread:${number}` | 'programs' | 'news'
/** What is on air at a station is told as it comes; only the newest matters. */
export type RadioTopic = `radio:${number}`
/** What a page can listen to. */
export type Topic = StoredTopic | RadioTopic

export const isRadioTopic = (topic: Topic): topic is RadioTopic => topic.startsWith('radio:')
