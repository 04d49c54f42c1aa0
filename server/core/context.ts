import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#db/client.server.ts'
import type { AnswerBudget } from './answerBudget.ts'
import type { Config } from './config.ts'
import { errors, errorTexts } from './errors.ts'
import type { Fetcher } from './fetch.ts'
import type { FileStore } from './files.ts'
import type { ImageProcessor } from './images.ts'
import type { BodyBudget } from './inFlight.ts'
import type { LargeReads } from './largeReads.ts'
import type { LiveHub } from './live.ts'
import type { PageCache } from './pageCache.ts'
import type { Radio } from './radio.ts'
import { COST, type RequestCosts } from './requestCost.ts'
import type { Secrets } from './secrets.ts'
import type { Sessions, SessionUser } from './sessions.ts'
import { type Asker, markOf } from './visitors.ts'

/** What services work with, the same for every request; tests put in their own clock and files. */
export type Services = {
  config: Config
  db: Database
  files: FileStore
  fetcher: Fetcher
  images: ImageProcessor
  secrets: Secrets
  sessions: Sessions
  live: LiveHub
  cache: PageCache
  radio: Radio
  answers: AnswerBudget
  bodies: BodyBudget
  costs: RequestCosts
  largeReads: LargeReads
  log: FastifyBaseLogger
  now: () => Date
}

/** The services and who is asking. */
export type Context = Services & {
  /** network address of the visitor */
  address: string
  /** a person looks at something with this request: it counts as a view of what is read */
  isPersonsView: boolean
  /** what tells this visitor from others for a day, and tells nobody who it is */
  visitor: () => string
  /** Reserves room for a large answer. @throws AppError 503 where the visitor's network or the site has none */
  reserveAnswer: (bytes: number) => void
  /**
   * Reads what may take tens of milliseconds of the event loop, and megabytes: a thread, a list of threads or a paste.
   * @throws AppError 400 for the second one of a request, 429 or 503 where the visitor's network or the site has no room
   */
  readLarge: LargeRead
  /** asks the database at most once a request, and only when somebody wants to know */
  currentUser: () => Promise<SessionUser | null>
}

type LargeRead = <Result>(read: () => Promise<Result>) => Promise<Result>

/**
 * The context of one request, with all calls of a batch.
 * @param charge takes what its calls cost more than others
 */
export function createContext(
  services: Services,
  { ip, headers, raw }: Asker,
  isPersonsView = false,
  charge: (units: number) => void = () => {},
): Context {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  let user: Promise<SessionUser | null> | undefined
  let hasLargeRead = false
  return {
    ...services,
    address: ip,
    isPersonsView,
    visitor: () => markOf({ ip, headers }, services.secrets.visitors, services.now()),
    reserveAnswer: (bytes) => services.answers.reserve({ ip, raw }, bytes),
    readLarge: async (read) => {
      if (hasLargeRead) throw errors.badRequest(errorTexts.oneLargeAnswer)
      hasLargeRead = true
      charge(COST.largeAnswer)
      return services.largeReads(ip, read)
    },
    currentUser: () => {
      user ??= token ? services.sessions.check(token) : Promise.resolve(null)
      return user
    },
  }
}
