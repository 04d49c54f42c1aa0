import { board } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { listBoards } from '#server/features/board/boards/boards.ts'
import { type BoardView, boardLimits, boardSettings } from '#src/contract/board.ts'
import { MAX_IMAGE_BYTES } from '#src/contract/image.ts'
import { PAGES, THREADS_PER_PAGE } from './documents.ts'

type Setting = keyof typeof boardSettings

/** Settings that other fields show. */
const SHOWN: Setting[] = ['posterLabels', 'defaultName']
/** The others have fields with the prefix `dtp_`, so that an export has all of them. */
const OWN_SETTINGS = (Object.keys(boardSettings) as Setting[])
  .filter((key) => !SHOWN.includes(key))
  .map((key) => ({ key, field: `dtp_${board[key].name}` }))

/** Reads the settings that only an export of this site has. Leaves out what is not valid. */
export const readOwnSettings = (fields: Record<string, unknown>): Partial<Pick<BoardView, Setting>> =>
  Object.fromEntries(
    OWN_SETTINGS.flatMap(({ key, field }) => {
      const { success, data } = boardSettings[key].safeParse(fields[field])
      return success ? [[key, data]] : []
    }),
  )

export async function createBoardsDocument({ db, config }: Pick<Services, 'db' | 'config'>) {
  const { limits } = config
  const seconds = (kind: 'thread' | 'post' | 'upload') => Math.ceil(limits.rates[kind].everySeconds)
  const boards = await listBoards({ db })
  return {
    boards: boards.map((row) => ({
      board: row.id,
      title: row.name,
      // The site cannot know whether a board is work-safe.
      ws_board: 0,
      per_page: THREADS_PER_PAGE,
      pages: PAGES,
      max_filesize: MAX_IMAGE_BYTES,
      // The site takes no videos.
      max_webm_filesize: 0,
      max_webm_duration: 0,
      max_comment_chars: boardLimits.content,
      bump_limit: limits.threadPosts,
      image_limit: limits.threadPosts,
      cooldowns: { threads: seconds('thread'), replies: seconds('post'), images: seconds('upload') },
      meta_description: escapeXml(row.description),
      spoilers: 1,
      require_subject: 1,
      ...(row.threadLimit > 0 && { is_archived: 1 }),
      ...(row.posterLabels && { user_ids: 1 }),
      dtp_description: row.description,
      dtp_rules: row.rules,
      ...Object.fromEntries(OWN_SETTINGS.map(({ key, field }) => [field, row[key]])),
      ...(row.defaultName !== '' && { dtp_default_name: row.defaultName }),
    })),
  }
}
