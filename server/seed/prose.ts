import { type Bag, createBag, type Random } from './random.ts'
import { nicks, pointers, questionThreads, reactions, replies, returns, secrets, stories, tails } from './talk.ts'
import type { Topic } from './topic.ts'

/** A post that was written, as far as others come back to it; `answers` to what it asks and nobody has said yet. */
export type Said = { id: number; author: string; content: string; topic: Topic; answers: string[] }
/** A post to be written. */
export type Draft = Omit<Said, 'id'> & { links: string[] }
export type ThreadDraft = Draft & { title: string }

type Topical = Record<'comments' | 'details', Bag<string>> & { threads: Bag<Topic['threads'][number]> }

const QUOTED_LENGTH = 120

/**
 * Somebody for every post of a board: draws sentences so that they come back as late as possible.
 * @param taken titles there are already; added to
 */
export function createCommunity(random: Random, topics: readonly Topic[], taken: Set<string>) {
  const topicBag = createBag(random, topics)
  const questionBag = createBag(
    random,
    topics.flatMap((topic) => topic.questions.map(([question, ...answers]) => ({ topic, question, answers }))),
  )
  const own = new Map<Topic, Topical>(
    topics.map((topic) => [
      topic,
      {
        threads: createBag(random, topic.threads),
        comments: createBag(random, topic.comments),
        details: createBag(random, topic.details),
      },
    ]),
  )
  const of = (topic: Topic) => own.get(topic) as Topical
  const general = {
    reactions: createBag(random, reactions),
    replies: createBag(random, replies),
    tails: createBag(random, tails),
    returns: createBag(random, returns),
    stories: createBag(random, stories),
    secrets: createBag(random, secrets),
  }

  const author = () => (random.chance(0.4) ? 'Anonymous' : random.pick(nicks))
  const links = (topic: Topic, probability: number) =>
    random.chance(probability) ? random.shuffle(topic.links).slice(0, random.chance(0.25) ? 2 : 1) : []

  /** The voices of one thread; `busy` makes it the one where everything is asked. */
  function openThread(busy: boolean) {
    const topic = topicBag.draw()
    const bound = bind(random, topic)
    const used = new Set<string>()
    const op = author()

    function opening(): ThreadDraft {
      if (busy) {
        const [title, content] = random.pick(questionThreads)
        return { title: untaken(title, taken), content, author: op, topic, answers: [], links: [] }
      }
      for (let tries = 0; ; tries++) {
        const values = tries === 0 ? bound : Object.assign(bound, bind(random, topic))
        const [title, lead] = of(topic).threads.draw()
        const filled = fill(title, values)
        if (taken.has(filled) && tries < 3 * topic.threads.length) continue
        const more = Array.from({ length: random.pick([0, 1, 1, 2]) }, () => of(topic).details.draw(used))
        return {
          title: untaken(filled, taken),
          content: paragraphs(
            random,
            [lead, ...more].map((sentence) => fill(sentence, values)),
          ),
          author: op,
          topic,
          answers: [],
          links: links(topic, 0.2),
        }
      }
    }

    /** A comment on what stands in the thread so far, the opening post first. */
    function comment(said: readonly Said[]): Draft {
      const [first] = said as [Said]
      const to = random.chance(0.6) ? recent(random, said) : null
      if (!busy && said.length > 4 && op !== 'Anonymous' && random.chance(0.14)) {
        const content = pointAt(random, to === first ? null : to, general.returns.draw(used))
        return { content, author: op, topic, answers: [], links: [] }
      }
      if (!busy) return about(topic, fill(of(topic).comments.draw(used), bound), to)
      return amongQuestions(said)
    }

    function amongQuestions(said: readonly Said[]): Draft {
      const open = said.slice(-24).filter((post) => post.answers.length > 0)
      if (open.length < 2 || random.chance(0.34)) {
        const { topic: subject, question, answers } = questionBag.draw()
        return { content: question, author: author(), topic: subject, answers: random.shuffle(answers), links: [] }
      }
      if (random.chance(0.12)) {
        const content = pointAt(random, recent(random, said.slice(-8)), general.reactions.draw(used))
        return { content, author: author(), topic, answers: [], links: [] }
      }
      const to = random.pick(open)
      return about(to.topic, to.answers.pop() ?? '', to, 0)
    }

    /** Mostly to the point, sometimes only a word in passing. */
    function about(subject: Topic, point: string, to: Said | null, inPassing = 0.22): Draft {
      const base = { author: other(random, author, to), topic: subject, answers: [], links: links(subject, 0.07) }
      if (random.chance(inPassing * 0.1)) return { ...base, content: story(general.stories.draw()) }
      if (random.chance(inPassing)) return { ...base, content: pointAt(random, to, general.reactions.draw(used)) }
      let text = random.chance(inPassing + 0.06) ? `${point} ${general.tails.draw(used)}` : point
      if (random.chance(0.08)) text += `\n${random.pick(pointers).replace('{link}', random.pick(subject.links))}`
      if (random.chance(0.04)) text += `\n[spoiler]${general.secrets.draw(used)}[/spoiler]`
      return { ...base, content: pointAt(random, to, text) }
    }

    /** A reply to a comment or to what was replied to it before. */
    function reply(to: Said): Draft {
      const text =
        to.answers.pop() ??
        (!busy && random.chance(0.35) ? fill(of(topic).comments.draw(used), bound) : general.replies.draw(used))
      const content = random.chance(0.6) ? `>>${to.id} ${text}` : text
      return { content, author: other(random, author, to), topic: to.topic, answers: [], links: [] }
    }

    return { opening, comment, reply }
  }

  return { openThread }
}

export type ThreadVoices = ReturnType<ReturnType<typeof createCommunity>['openThread']>

const bind = (random: Random, topic: Topic): Record<string, string> =>
  Object.fromEntries(Object.entries(topic.slots).map(([name, values]) => [name, random.pick(values)]))

/** Puts the chosen words in; a sentence that begins with one gets its capital letter. */
function fill(text: string, values: Record<string, string>): string {
  return text.replace(/([.?!] |)\{(\w+)\}/g, (whole, before: string, name: string, at: number) => {
    const value = values[name] ?? whole
    return before || at === 0 ? `${before}${value.charAt(0).toUpperCase()}${value.slice(1)}` : value
  })
}

function untaken(title: string, taken: Set<string>): string {
  let free = title
  for (let number = 2; taken.has(free); number++) free = `${title} #${number}`
  taken.add(free)
  return free
}

function paragraphs(random: Random, sentences: string[]): string {
  const [first, ...rest] = sentences
  if (rest.length === 0) return first ?? ''
  return `${first}${random.chance(0.35) ? '\n\n' : ' '}${rest.join(' ')}`
}

const story = (lines: readonly string[]) => lines.map((line) => `>${line}`).join('\n')

/** The newest are answered most. */
const recent = (random: Random, said: readonly Said[]) =>
  said[said.length - 1 - Math.floor(random.next() ** 2.5 * said.length)] ?? null

/** Points at the post that is answered, sometimes with its words. */
function pointAt(random: Random, to: Said | null, text: string): string {
  if (!to) return text
  const quoted = random.chance(0.35) ? firstSentence(to.content) : null
  return quoted ? `>>${to.id}\n>${quoted}\n${text}` : `>>${to.id} ${text}`
}

/** What of a post is worth quoting: its own first sentence, without what it quotes itself. */
function firstSentence(content: string): string | null {
  const plain = content.replace(/^>>\d+ ?/gm, '').split('\n')
  const line = plain.find((one) => one && !one.startsWith('>') && !/\[spoiler|https?:/.test(one))
  const sentence = line?.match(/^.*?[.?!](?=\s|$)/)?.[0] ?? line
  return sentence && sentence.length <= QUOTED_LENGTH ? sentence.replace(/\.$/, '') : null
}

/** Nobody answers themselves, but for those without a name. */
function other(random: Random, author: () => string, to: Said | null): string {
  const who = author()
  return who !== 'Anonymous' && who === to?.author ? random.pick(nicks.filter((nick) => nick !== who)) : who
}
