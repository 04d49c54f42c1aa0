/** Events of these topics are stored, so that missed events can be replayed. */
export type StoredTopic =
  | 'boards'
  | `board:${string}`
  | `thread:${number}`
  | 'programs'
  | 'news'
  | 'log'
  | 'moderation'
  | 'site'
/** Radio events are not stored, because only the latest event per station matters. */
export type RadioTopic = `radio:${number}`
export type Topic = StoredTopic | RadioTopic

export const isRadioTopic = (topic: Topic): topic is RadioTopic => topic.startsWith('radio:')
