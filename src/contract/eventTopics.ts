/** Events of these topics are stored, so missed ones can be replayed. */
export type StoredTopic = 'boards' | `board:${string}` | `thread:${number}` | 'programs' | 'news'
/** Not stored, because only the latest event of a station matters. */
export type RadioTopic = `radio:${number}`
export type Topic = StoredTopic | RadioTopic

export const isRadioTopic = (topic: Topic): topic is RadioTopic => topic.startsWith('radio:')
