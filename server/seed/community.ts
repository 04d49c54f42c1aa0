import { createBag, type Random } from './random.ts'
import { phrases, type Topic } from './texts.ts'

/** `answers` are the remaining answers to the question in the post. */
export type Draft = { author: string; content: string; topic: Topic; answers: string[]; links: string[] }
type ThreadDraft = Draft & { title: string }
export type WrittenPost = Draft & { id: number }

const MAX_QUOTED_LENGTH = 120

/**
 * Creates a generator for all posts on a board. It repeats a sentence as late as possible.
 * @param takenTitles titles on the board; new titles are added
 */
export function createCommunity(random: Random, topics: readonly Topic[], takenTitles: Set<string>) {
  const drawTopic = createBag(random, topics)
  const drawQuestion = createBag(
    random,
    topics.flatMap((topic) => topic.questions.map(([content, ...answers]) => ({ topic, content, answers }))),
  )
  const topicBags = new Map(
    topics.map((topic) => [
      topic,
      {
        thread: createBag(random, topic.threads),
        comment: createBag(random, topic.comments),
        detail: createBag(random, topic.details),
      },
    ]),
  )
  const draw = {
    reaction: createBag(random, phrases.reactions),
    reply: createBag(random, phrases.replies),
    tail: createBag(random, phrases.tails),
    return: createBag(random, phrases.returns),
    story: createBag(random, phrases.stories),
    secret: createBag(random, phrases.secrets),
  }

  /** @param asksAnything true for the busiest thread: it has questions about all topics */
  return function startThread(asksAnything: boolean) {
    const topic = drawTopic()
    const bags = topicBags.get(topic) as NonNullable<ReturnType<typeof topicBags.get>>
    const slots = Object.fromEntries(Object.entries(topic.slots).map(([name, values]) => [name, random.pick(values)]))
    const used = new Set<string>()
    const op = pickAuthor(random)

    function opening(): ThreadDraft {
      if (asksAnything) {
        const [title, content] = random.pick(phrases.questionThreads)
        return { title: makeUnique(title, takenTitles), content, author: op, topic, answers: [], links: [] }
      }
      const [title, lead] = bags.thread()
      const details = Array.from({ length: random.int(0, 2) }, () => bags.detail(used))
      const paragraphs = random.chance(0.35) ? '\n\n' : ' '
      return {
        title: makeUnique(fillSlots(title, slots), takenTitles),
        content: fillSlots([lead, ...details].join(paragraphs), slots),
        author: op,
        topic,
        answers: [],
        links: random.chance(0.2) ? [random.pick(topic.links)] : [],
      }
    }

    function comment(posts: readonly WrittenPost[]): Draft {
      if (asksAnything) return askOrAnswer(posts)
      const to = random.chance(0.6) ? pickRecent(random, posts) : null
      if (posts.length > 4 && op !== 'Anonymous' && random.chance(0.14)) {
        return { ...respond(to, draw.return(used)), author: op }
      }
      if (random.chance(0.02)) return respond(null, toGreentext(draw.story()))
      if (random.chance(0.22)) return respond(to, draw.reaction(used))
      const point = fillSlots(bags.comment(used), slots)
      return respond(to, random.chance(0.28) ? `${point} ${draw.tail(used)}` : point)
    }

    function askOrAnswer(posts: readonly WrittenPost[]): Draft {
      const open = posts.slice(-24).filter((post) => post.answers.length > 0)
      if (open.length < 2 || random.chance(0.34)) {
        const question = drawQuestion()
        return { ...question, author: pickAuthor(random), answers: random.shuffle(question.answers), links: [] }
      }
      if (random.chance(0.12)) return respond(pickRecent(random, posts.slice(-8)), draw.reaction(used))
      const to = random.pick(open)
      return respond(to, to.answers.pop() as string)
    }

    function reply(to: WrittenPost): Draft {
      const isOnTopic = !asksAnything && random.chance(0.35)
      const text = to.answers.pop() ?? (isOnTopic ? fillSlots(bags.comment(used), slots) : draw.reply(used))
      const content = random.chance(0.6) ? `>>${to.id} ${text}` : text
      return { content, author: pickAuthor(random, to), topic: to.topic, answers: [], links: [] }
    }

    function respond(to: WrittenPost | null, text: string): Draft {
      const subject = to?.topic ?? topic
      let content = linkPost(random, to, text)
      if (random.chance(0.08)) {
        content += `\n${random.pick(phrases.pointers).replace('{link}', random.pick(subject.links))}`
      }
      if (random.chance(0.04)) content += `\n[spoiler]${draw.secret(used)}[/spoiler]`
      const links = random.chance(0.07) ? [random.pick(subject.links)] : []
      return { content, author: pickAuthor(random, to), topic: subject, answers: [], links }
    }

    return { opening, comment, reply }
  }
}

export type ThreadWriter = ReturnType<ReturnType<typeof createCommunity>>

/** Replaces `{name}`. Capitalizes the value at the start of a sentence. */
function fillSlots(text: string, values: Record<string, string>): string {
  return text.replace(/([.?!]\s+|)\{(\w+)\}/g, (whole, before: string, name: string, at: number) => {
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

const toGreentext = (lines: readonly string[]) => lines.map((line) => `>${line}`).join('\n')

const pickRecent = (random: Random, posts: readonly WrittenPost[]) =>
  posts[posts.length - 1 - Math.floor(random.next() ** 2.5 * posts.length)] ?? null

/** Adds a link to the answered post and sometimes a quote of its first sentence. */
function linkPost(random: Random, to: WrittenPost | null, text: string): string {
  if (!to) return text
  const [sentence] = /^[^>\n[]+?[.?!](?=\s|$)/m.exec(to.content.replace(/^>>\d+ ?/gm, '')) ?? []
  const isQuoted = sentence && sentence.length <= MAX_QUOTED_LENGTH && random.chance(0.35)
  return isQuoted ? `>>${to.id}\n>${sentence}\n${text}` : `>>${to.id} ${text}`
}

/** Picks an author. Named authors never answer themselves. */
function pickAuthor(random: Random, to: WrittenPost | null = null): string {
  return random.chance(0.4) ? 'Anonymous' : random.pick(phrases.nicks.filter((nick) => nick !== to?.author))
}
