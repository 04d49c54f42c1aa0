import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#db/client.server.ts'
import type { Language } from '#src/contract/languages.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { Site } from '#src/contract/site.ts'
import type { Sessions, SessionUser } from './auth/sessions.ts'
import type { BackupDestination } from './backup/destination.ts'
import type { PageCache } from './cache/pageCache.ts'
import type { Config } from './config/config.ts'
import { errors } from './errors.ts'
import type { EventHub } from './events/eventHub.ts'
import type { Fetcher } from './http/fetcher.ts'
import { answerLanguage } from './http/language.ts'
import { hashVisitor, type Requester } from './http/visitors.ts'
import type { MemoryBudget } from './limits/networkBudget.ts'
import { COST, type LargeReads, type RequestCosts } from './limits/requestCost.ts'
import type { ImageProcessor } from './media/imageProcessor.ts'
import type { Secrets } from './security/secrets.ts'
import type { FileStore } from './storage/fileStore.ts'

/**
 * Dependencies that all requests share. Features add their own by extending this interface, as moderation and the radio
 * do.
 */
export interface Services {
  config: Config
  /** the site file */
  site: Site
  db: Database
  files: FileStore
  fetcher: Fetcher
  images: ImageProcessor
  secrets: Secrets
  sessions: Sessions
  eventHub: EventHub
  cache: PageCache
  /** for responses that clients have not read yet */
  responseBudget: MemoryBudget
  /** for request bodies */
  bodyBudget: MemoryBudget
  costs: RequestCosts
  largeReads: LargeReads
  backups: BackupDestination
  /** returns the free bytes on the data folder's disk, or infinity if the system does not report them */
  diskSpace: () => Promise<number>
  log: FastifyBaseLogger
  now: () => Date
}

export type Context = Services & {
  /** the language of errors */
  language: Language
  address: string
  /** text of the User-Agent header, or an empty text */
  userAgent: string
  isHumanView: boolean
  visitor: () => string
  /** Reserves memory for a large response. @throws AppError 503 if the network or the site exceeds its memory limit */
  reserveResponse: (bytes: number) => void
  /** Charges the request for costly work. @throws AppError 429 or 503 if the network or the site exceeds its limits */
  charge: (units: number) => void
  /**
   * Runs a read that may take tens of milliseconds and several megabytes.
   * @throws AppError 400 for a second large read in one request, 429 or 503 if the network or the site exceeds its
   * limits
   */
  readLarge: LargeRead
  /** queries the database at most once per request */
  currentUser: () => Promise<SessionUser | null>
}

type LargeRead = <Result>(read: () => Promise<Result>) => Promise<Result>

export const readBearerToken = ({ authorization = '' }: Requester['headers']): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1]

/** @param charge receives the additional cost of the call */
export function createContext(
  services: Services,
  { ip, headers, raw }: Requester,
  isHumanView = false,
  charge: (units: number) => void = () => {},
): Context {
  const token = readBearerToken(headers)
  let user: Promise<SessionUser | null> | undefined
  let hasLargeRead = false
  return {
    ...services,
    language: answerLanguage(headers),
    address: ip,
    userAgent: headers['user-agent'] ?? '',
    isHumanView,
    visitor: () => hashVisitor({ ip, headers }, services.secrets.visitors, services.now()),
    reserveResponse: (bytes) => services.responseBudget.take({ ip, raw }, bytes),
    charge,
    readLarge: async (read) => {
      if (hasLargeRead) throw errors.badRequest(refusal('failure.oneLargeAnswer'))
      hasLargeRead = true
      charge(COST.largeAnswer)
      return services.largeReads(ip, read)
    },
    currentUser: () => {
      user ??= token ? services.sessions.validate(token) : Promise.resolve(null)
      return user
    },
  }
}
