import type { PictureKind } from './pictures.ts'

/** What a community says about one subject. `{name}` in a text stands for one of `slots.name`. */
export type Topic = {
  /** ids of the small boards it would be at home on */
  boards: readonly string[]
  /** chosen once a thread, so that title and text speak of the same thing */
  slots: Readonly<Record<string, readonly string[]>>
  /** title and first sentences */
  threads: readonly (readonly [title: string, lead: string])[]
  /** sentences that can follow any of the first ones */
  details: readonly string[]
  /** questions that stand alone, each with its answers */
  questions: readonly (readonly [question: string, ...answers: string[]])[]
  /** what can be said in any thread of this subject */
  comments: readonly string[]
  links: readonly string[]
  pictures: readonly PictureKind[]
}
