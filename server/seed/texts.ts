import air from './texts/air.json' with { type: 'json' }
import desk from './texts/desk.json' with { type: 'json' }
import machines from './texts/machines.json' with { type: 'json' }
import phrasesJson from './texts/phrases.json' with { type: 'json' }
import servers from './texts/servers.json' with { type: 'json' }

/** Texts about one subject. `{name}` in a text is replaced by one of `slots.name`. */
export type Topic = {
  /** ids of the small boards that match the topic */
  boards: readonly string[]
  /** placeholder values; chosen once per thread, so that its title and texts match */
  slots: Readonly<Record<string, readonly string[]>>
  threads: readonly (readonly [title: string, firstSentences: string])[]
  /** sentences that can follow any `firstSentences` */
  details: readonly string[]
  questions: readonly (readonly [question: string, ...answers: string[]])[]
  comments: readonly string[]
  links: readonly string[]
}

type Phrases = {
  nicks: readonly string[]
  reactions: readonly string[]
  /** sentences that can end a comment */
  tails: readonly string[]
  /** comments for a thread's author who returns to the thread */
  returns: readonly string[]
  replies: readonly string[]
  stories: readonly (readonly string[])[]
  secrets: readonly string[]
  /** sentences with `{link}`, which is replaced by a link from the topic */
  pointers: readonly string[]
  /** threads that collect questions about all topics */
  questionThreads: readonly (readonly [title: string, content: string])[]
}

// TypeScript infers the tuples in JSON as arrays.
export const topics = [...machines, ...servers, ...air, ...desk] as unknown as Topic[]
export const phrases = phrasesJson as unknown as Phrases
