/** Events of these topics are stored, so that missed events can be replayed. */
export type StoredTopic =
  | 'boards'
  | `board:${string}`
  | `thread:${number}`
  | 'programs'
  | 'news'
  | 'shows'
  | 'streamers'
  | 'log'
  | 'moderation'
  | 'site'
/** Radio events are not stored, because only the latest event per station matters. */
export type RadioTopic = `radio:${number}`
export type Topic = StoredTopic | RadioTopic

/** One connection carries the topics of the page, the player and ten watched threads. Limits the server's work for it. */
export const MAX_TOPICS = 16

export const isRadioTopic = (topic: Topic): topic is RadioTopic => topic.startsWith('radio:')
