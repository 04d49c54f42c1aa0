import air from './texts/air.json' with { type: 'json' }
import desk from './texts/desk.json' with { type: 'json' }
import machines from './texts/machines.json' with { type: 'json' }
import phrasesJson from './texts/phrases.json' with { type: 'json' }
import servers from './texts/servers.json' with { type: 'json' }

/** The texts about one subject. `{name}` in a text stands for one of `slots.name`. */
export type Topic = {
  /** ids of the small boards the topic suits */
  boards: readonly string[]
  /** chosen once per thread, so that its title and texts agree */
  slots: Readonly<Record<string, readonly string[]>>
  threads: readonly (readonly [title: string, firstSentences: string])[]
  /** sentences that can follow any of the first ones */
  details: readonly string[]
  questions: readonly (readonly [question: string, ...answers: string[]])[]
  comments: readonly string[]
  links: readonly string[]
}

type Phrases = {
  nicks: readonly string[]
  reactions: readonly string[]
  /** sentences after the point of a comment */
  tails: readonly string[]
  /** comments of the author of the thread who comes back to it */
  returns: readonly string[]
  replies: readonly string[]
  stories: readonly (readonly string[])[]
  secrets: readonly string[]
  /** sentences in which `{link}` stands for a link of the topic */
  pointers: readonly string[]
  /** threads that collect questions about all topics */
  questionThreads: readonly (readonly [title: string, content: string])[]
}

// TypeScript reads tuples in JSON as arrays.
export const topics = [...machines, ...servers, ...air, ...desk] as unknown as Topic[]
export const phrases = phrasesJson as unknown as Phrases
