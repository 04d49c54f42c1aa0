import { type Bag, createBag, type Random } from './random.ts'
import { phrases, type Topic } from './texts.ts'

/** A stored post that later posts refer to; `answers` are those to its question that are not used yet. */
export type WrittenPost = { id: number; author: string; content: string; topic: Topic; answers: string[] }
export type Draft = Omit<WrittenPost, 'id'> & { links: string[] }
export type ThreadDraft = Draft & { title: string }

type TopicBags = Record<'comments' | 'details', Bag<string>> & { threads: Bag<Topic['threads'][number]> }

const QUOTED_LENGTH = 120

/**
 * Creates the author of all posts of a board, which repeats a sentence as late as possible.
 * @param takenTitles titles of the board; new ones are added
 */
export function createCommunity(random: Random, topics: readonly Topic[], takenTitles: Set<string>) {
  const topicBag = createBag(random, topics)
  const questionBag = createBag(
    random,
    topics.flatMap((topic) => topic.questions.map(([question, ...answers]) => ({ topic, question, answers }))),
  )
  const bagsByTopic = new Map<Topic, TopicBags>(
    topics.map((topic) => [
      topic,
      {
        threads: createBag(random, topic.threads),
        comments: createBag(random, topic.comments),
        details: createBag(random, topic.details),
      },
    ]),
  )
  const bagsOf = (topic: Topic) => bagsByTopic.get(topic) as TopicBags
  const bags = {
    reactions: createBag(random, phrases.reactions),
    replies: createBag(random, phrases.replies),
    tails: createBag(random, phrases.tails),
    returns: createBag(random, phrases.returns),
    stories: createBag(random, phrases.stories),
    secrets: createBag(random, phrases.secrets),
  }

  const pickAuthor = () => (random.chance(0.4) ? 'Anonymous' : random.pick(phrases.nicks))
  const pickLinks = (topic: Topic, probability: number) =>
    random.chance(probability) ? random.shuffle(topic.links).slice(0, random.chance(0.25) ? 2 : 1) : []

  /** @param collectsQuestions about all topics, as the busiest thread does */
  function startThread(collectsQuestions: boolean) {
    const topic = topicBag.draw()
    const bound = pickSlots(random, topic)
    const used = new Set<string>()
    const op = pickAuthor()

    function opening(): ThreadDraft {
      if (collectsQuestions) {
        const [title, content] = random.pick(phrases.questionThreads)
        return { title: makeUnique(title, takenTitles), content, author: op, topic, answers: [], links: [] }
      }
      for (let tries = 0; ; tries++) {
        const values = tries === 0 ? bound : Object.assign(bound, pickSlots(random, topic))
        const [title, lead] = bagsOf(topic).threads.draw()
        const filled = fillSlots(title, values)
        if (takenTitles.has(filled) && tries < 3 * topic.threads.length) continue
        const more = Array.from({ length: random.pick([0, 1, 1, 2]) }, () => bagsOf(topic).details.draw(used))
        return {
          title: makeUnique(filled, takenTitles),
          content: joinParagraphs(
            random,
            [lead, ...more].map((sentence) => fillSlots(sentence, values)),
          ),
          author: op,
          topic,
          answers: [],
          links: pickLinks(topic, 0.2),
        }
      }
    }

    /** @param posts those of the thread, the opening post first */
    function comment(posts: readonly WrittenPost[]): Draft {
      const [first] = posts as [WrittenPost]
      const to = random.chance(0.6) ? pickRecent(random, posts) : null
      if (!collectsQuestions && posts.length > 4 && op !== 'Anonymous' && random.chance(0.14)) {
        const content = linkPost(random, to === first ? null : to, bags.returns.draw(used))
        return { content, author: op, topic, answers: [], links: [] }
      }
      if (!collectsQuestions) return makePoint(topic, fillSlots(bagsOf(topic).comments.draw(used), bound), to)
      return commentOnQuestions(posts)
    }

    function commentOnQuestions(posts: readonly WrittenPost[]): Draft {
      const open = posts.slice(-24).filter((post) => post.answers.length > 0)
      if (open.length < 2 || random.chance(0.34)) {
        const { topic: subject, question, answers } = questionBag.draw()
        return { content: question, author: pickAuthor(), topic: subject, answers: random.shuffle(answers), links: [] }
      }
      if (random.chance(0.12)) {
        const content = linkPost(random, pickRecent(random, posts.slice(-8)), bags.reactions.draw(used))
        return { content, author: pickAuthor(), topic, answers: [], links: [] }
      }
      const to = random.pick(open)
      return makePoint(to.topic, to.answers.pop() ?? '', to, 0)
    }

    /** @param distraction probability that the comment is only a reaction */
    function makePoint(subject: Topic, point: string, to: WrittenPost | null, distraction = 0.22): Draft {
      const base = {
        author: pickOtherAuthor(random, pickAuthor, to),
        topic: subject,
        answers: [],
        links: pickLinks(subject, 0.07),
      }
      if (random.chance(distraction * 0.1)) return { ...base, content: greentext(bags.stories.draw()) }
      if (random.chance(distraction)) return { ...base, content: linkPost(random, to, bags.reactions.draw(used)) }
      let text = random.chance(distraction + 0.06) ? `${point} ${bags.tails.draw(used)}` : point
      if (random.chance(0.08))
        text += `\n${random.pick(phrases.pointers).replace('{link}', random.pick(subject.links))}`
      if (random.chance(0.04)) text += `\n[spoiler]${bags.secrets.draw(used)}[/spoiler]`
      return { ...base, content: linkPost(random, to, text) }
    }

    function reply(to: WrittenPost): Draft {
      const text =
        to.answers.pop() ??
        (!collectsQuestions && random.chance(0.35)
          ? fillSlots(bagsOf(topic).comments.draw(used), bound)
          : bags.replies.draw(used))
      const content = random.chance(0.6) ? `>>${to.id} ${text}` : text
      return { content, author: pickOtherAuthor(random, pickAuthor, to), topic: to.topic, answers: [], links: [] }
    }

    return { opening, comment, reply }
  }

  return { startThread }
}

export type ThreadWriter = ReturnType<ReturnType<typeof createCommunity>['startThread']>

const pickSlots = (random: Random, topic: Topic): Record<string, string> =>
  Object.fromEntries(Object.entries(topic.slots).map(([name, values]) => [name, random.pick(values)]))

/** Replaces `{name}`; at the start of a sentence the value gets a capital letter. */
function fillSlots(text: string, values: Record<string, string>): string {
  return text.replace(/([.?!] |)\{(\w+)\}/g, (whole, before: string, name: string, at: number) => {
    const value = values[name] ?? whole
    return before || at === 0 ? `${before}${value.charAt(0).toUpperCase()}${value.slice(1)}` : value
  })
}

function makeUnique(title: string, taken: Set<string>): string {
  let free = title
  for (let number = 2; taken.has(free); number++) free = `${title} #${number}`
  taken.add(free)
  return free
}

function joinParagraphs(random: Random, sentences: string[]): string {
  const [first, ...rest] = sentences
  if (rest.length === 0) return first ?? ''
  return `${first}${random.chance(0.35) ? '\n\n' : ' '}${rest.join(' ')}`
}

const greentext = (lines: readonly string[]) => lines.map((line) => `>${line}`).join('\n')

/** Prefers the newest posts. */
const pickRecent = (random: Random, posts: readonly WrittenPost[]) =>
  posts[posts.length - 1 - Math.floor(random.next() ** 2.5 * posts.length)] ?? null

/** Links the answered post, and sometimes quotes it. */
function linkPost(random: Random, to: WrittenPost | null, text: string): string {
  if (!to) return text
  const quoted = random.chance(0.35) ? firstSentence(to.content) : null
  return quoted ? `>>${to.id}\n>${quoted}\n${text}` : `>>${to.id} ${text}`
}

/** Returns the first sentence of a post that is no quote, link or spoiler. */
function firstSentence(content: string): string | null {
  const plain = content.replace(/^>>\d+ ?/gm, '').split('\n')
  const line = plain.find((one) => one && !one.startsWith('>') && !/\[spoiler|https?:/.test(one))
  const sentence = line?.match(/^.*?[.?!](?=\s|$)/)?.[0] ?? line
  return sentence && sentence.length <= QUOTED_LENGTH ? sentence.replace(/\.$/, '') : null
}

/** Picks an author who does not answer their own post; an anonymous one can. */
function pickOtherAuthor(random: Random, pickAuthor: () => string, to: WrittenPost | null): string {
  const author = pickAuthor()
  return author !== 'Anonymous' && author === to?.author
    ? random.pick(phrases.nicks.filter((nick) => nick !== author))
    : author
}
