import type { WrittenPost } from '#db/schema/index.ts'
import type { SignedPost } from '#server/features/board/write/author.ts'
import type { BoardChange, boardSettings } from '#src/contract/board.ts'
import type { Capcode } from '#src/contract/post.ts'

/**
 * An image of a post: in a local folder, at a URL, or null if nobody has named the folder yet. `place` is known if this
 * site exported the post; see `StoredImage`.
 */
export type ImportedImage = { name: string; location: string | URL | null; place?: number | undefined }

/** In HTML of jschan, line breaks are shown as such. Only 4chan's `<s>` is a spoiler. */
export type HtmlBody = { html: string; format: '4chan' | 'vichan' | 'jschan' }
/** HTML, or text in the site's own markup. */
type ImportedBody = HtmlBody | { text: string }

export type ImportedPost = {
  /** number on the old board */
  number: number
  /** number of the comment that a reply answers; null for all other posts */
  parent: number | null
  /** empty if the poster gave no name */
  author: string
  /** text behind the name on the old board, such as `!tripcode ## Capcode` */
  codes?: string
  subject: string
  body: ImportedBody
  links: string[]
  /** numbers of posts that the text links to; only in exports of this site */
  linked?: number[]
  /** URL of an embedded video, which is shown below the text */
  video?: string | null
  /** names of files that are no images, such as videos */
  otherFiles?: string[]
  /** public notes that moderators left on the post */
  notes?: string[]
  /** on the old board; can be in the future */
  time: Date
  spoiler: boolean
  /** content of the email field; empty if the old board does not publish it */
  email: string
  capcode?: Capcode | null
  /** columns that only exports of this site have */
  own?: Partial<WrittenPost>
  /** a post with a tripcode in an export of a site like this one; `author` has the tripcode as text */
  signed?: SignedPost & { proof: string }
  images: ImportedImage[]
  /** the old board has deleted all files of the post */
  fileDeleted?: boolean
}

/** A thread, or a part of one: formats without threads yield the posts in the order of their numbers. */
export type ImportedThread = {
  board: string
  /** number of the opening post */
  number: number
  locked: boolean
  pinned: boolean
  /** undefined if the source does not say */
  bumplocked?: boolean | undefined
  cyclical?: boolean | undefined
  /** when a post last bumped the thread; missing if the source does not know it */
  bumpedAt?: Date | null
  /** properties of the thread that this site does not have */
  lost?: string[]
  /** when the old board closed the thread because of its age */
  archivedAt?: Date | null
  /** by number; only the first part of a thread has the opening post */
  posts: ImportedPost[]
}

export type ImportedBoard = {
  name: string
  title: string
  description: string
  rules?: string
  /** only in exports of this site */
  settings?: Pick<BoardChange, keyof typeof boardSettings>
  /** the name of posts without one; undefined if the source does not say */
  defaultName?: string | undefined
}

/**
 * Reports a post, thread, board or image that is left out.
 * @param where such as `/b/123`
 * @param outcome `kept` if the post is kept, and only a part of it is missing or changed; `changed` if the source has
 * changed since the last run
 */
export type ReportProblem = (where: string, what: string, outcome?: 'kept' | 'changed') => void

export type ImportSource = {
  /** the given boards, or all listed boards if none are given */
  boards: (report: ReportProblem) => Promise<ImportedBoard[]>
  /** Reads the threads of all boards, old threads first. Can be called again. */
  threads: (boards: string[], report: ReportProblem) => AsyncIterable<ImportedThread>
  /** whether posts have their images: a dump has none without their folder */
  hasImages: boolean
  /** whether the numbers of all boards come from one sequence, as on this site */
  sharesNumbers: () => Promise<boolean>
}

export type UsableImage = { image: ImportedImage; bytes: number }
export type PlanCollector = {
  /** Ends the time in which the old site is copied. */
  startReading: () => void
  add: (board: string, added: { threads: number; posts: number; textBytes: number }) => void
  addImages: (board: string, images: UsableImage[]) => void
}

export type ImportOptions = {
  /** id of the board to import into; only for one board */
  into?: string | undefined
  dryRun: boolean
  /** takes over what the source has changed or deleted since the last run */
  update?: boolean
  /** receives what a dry run counts */
  plan?: PlanCollector | undefined
  report: ReportProblem
  progress: (line: string) => void
}
export type ImportCounts = {
  boards: number
  threads: number
  posts: number
  images: number
  /** posts and threads that were changed or removed as in the source; only with `update` */
  updated?: number
}

/** An error of the command's user or of the source's data: its message is all that the command prints. */
export class ImportError extends Error {
  override name = 'ImportError'
}
